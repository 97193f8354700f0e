import { expect, it, onTestFinished } from 'vitest';
import { startServe } from '../../support/http/serve-process.js';
import { goodPlugin, writePlugin } from '../../support/plugin-package.js';
import { makeRepositoryIn } from '../repository.js';
import { gated } from '../review/gated-workspace.js';
import { lastOf, makeWorld } from '../world.js';

const NAMES =
  'the plugin @acme/kit-plugin-echo, which brings it, was installed after this process started: start it again (`kit serve`, `kit mcp serve`, each `kit worker`)';
const WORKSPACE = `apiVersion: kit/v1
kind: Workspace
metadata: { id: later, name: Later }
memory: { enabled: false }
`;
const archetype = (executor: string): string => `apiVersion: kit/v1
kind: Archetype
metadata: { id: echoing, name: Echoing, description: Carried out by the executor of a plugin. }
role: root
defaults: {}
executor: { kind: ${executor} }
provenance: { authored_by: human, version: 1.0.0 }
`;
const TOPOLOGY = `apiVersion: kit/v1
kind: Topology
metadata: { name: echo, version: 1.0.0 }
agents: { root: { id: echoing, role: root, archetype: echoing } }
`;

it('a server says that a plugin was installed after it started, and the next one has it', async () => {
  const world = await makeWorld();
  onTestFinished(() => world.dispose());
  const root = world.files('later', { 'workspace.yaml': WORKSPACE });
  const server = await startServe([root], world.env);
  onTestFinished(() => server.kill('SIGKILL'));
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answer.json();
  };
  const plugin = await writePlugin(world.home.path, goodPlugin);
  expect((await world.kit(['plugins', 'link', plugin, '--yes'])).code).toBe(0);

  world.files('later', { 'archetypes/echoing.yaml': archetype('nothing'), 'topologies/echo.yaml': TOPOLOGY });
  const unknown = await ask('POST', '/reload');
  const put = await ask('PUT', '/api/archetypes/echoing', { yaml: archetype('echo') });
  world.files('later', { 'archetypes/echoing.yaml': archetype('echo') });
  const reloaded = await ask('POST', '/reload');
  world.files('later', {
    'archetypes/echoing.yaml': archetype('model'),
    'workspace.yaml': `${WORKSPACE}governance: { provider: custom, config: { provider_id: acme.rules } }\n`,
  });
  const governed = await ask('POST', '/reload');

  expect(unknown).toMatchObject({
    valid: false,
    errors: [{ code: 'archetype.executor-invalid', message: 'no executor is called `nothing`' }],
  });
  expect(put).toMatchObject({ valid: false, errors: [{ message: `no executor is called \`echo\`; ${NAMES}` }] });
  expect(reloaded).toMatchObject({ valid: false, errors: [{ message: `no executor is called \`echo\`; ${NAMES}` }] });
  expect(JSON.stringify(governed)).not.toContain('installed after');
  world.files('later', { 'archetypes/echoing.yaml': archetype('echo'), 'workspace.yaml': WORKSPACE });
  expect(await world.kit(['validate', root])).toMatchObject({ code: 0 });
});

it('a server says why it leaves a run that needs a plugin which was installed after it started', async () => {
  const world = await makeWorld();
  onTestFinished(() => world.dispose());
  const { 'funnels/sign-off.yaml': funnel = '', 'roles/people.yaml': roles = '' } = gated();
  const files = {
    ...{ 'workspace.yaml': WORKSPACE, 'funnels/sign-off.yaml': funnel.replace('[qa, ops]', '[qa]') },
    ...{
      'roles/people.yaml': roles,
      'topologies/echo.yaml': TOPOLOGY.replace('echoing }', 'echoing, funnel: sign-off }'),
    },
  };
  const { root } = makeRepositoryIn(world, 'left', { ...files, 'archetypes/echoing.yaml': archetype('model') });
  const server = await startServe([root], world.env);
  onTestFinished(() => server.kill('SIGKILL'));
  const plugin = await writePlugin(world.home.path, goodPlugin);
  expect((await world.kit(['plugins', 'link', plugin, '--yes'])).code).toBe(0);
  world.files('left', { 'archetypes/echoing.yaml': archetype('echo') });
  const { id } = lastOf(await world.kit(['run', root, 'echo', '--input', 'x', '--json']));
  await world.kit([
    'review',
    'resolve',
    `mpa-${String(id)}:echoing-0-qa`,
    root,
    '--as',
    'qa-1',
    '--approve',
    '--no-resume',
  ]);
  const get = async (path: string): Promise<unknown> => (await fetch(`${server.url}${path}`)).json();

  const lack =
    'the plugin @acme/kit-plugin-echo ^1.0.0 was installed after this process started, which has to be started again';
  expect(await get(`/jobs/${String(id)}/why`)).toMatchObject({
    reasons: expect.arrayContaining([`this machine cannot go on with it: ${lack}`]),
  });
  // What others see of a process is what its last beat said.
  await expect
    .poll(() => get('/queue/stats'), { timeout: 60_000 })
    .toMatchObject({ blocked: [{ missing: [lack], example: id }] });
});

it.each([
  ['no executor is called `nothing`', { 'archetypes/echoing.yaml': archetype('nothing') }],
  [
    'no installed plugin contributes the event sink `nothing`',
    { 'workspace.yaml': `${WORKSPACE}events: [{ sink: plugin, provider_id: nothing }]\n` },
  ],
  [
    'no plugin contributes nothing to governanceProviders',
    { 'workspace.yaml': `${WORKSPACE}governance: { provider: custom, config: { provider_id: nothing } }\n` },
  ],
])('what no plugin brings is refused with the commands that install one: %s', async (message, files) => {
  const world = await makeWorld();
  onTestFinished(() => world.dispose());
  const root = world.files('none', {
    'workspace.yaml': WORKSPACE,
    'archetypes/echoing.yaml': archetype('model'),
    'topologies/echo.yaml': TOPOLOGY,
    ...files,
  });
  const { code, stdout, stderr } = await world.kit(['validate', root]);

  expect(code).toBe(1);
  expect(`${stdout}${stderr}`).toContain(message);
  expect(`${stdout}${stderr}`).toMatch(/`kit plugins list` shows the installed plugins, `kit plugins install PLUGIN`/);
});
