import { spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planContainer } from '../../../plugins/mcp/src/sandbox/container.js';
import type { StdioSettings } from '../../../plugins/mcp/src/settings.js';
import type { JsonObject } from '../../../src/domain/json.js';
import { processesWith } from '../../support/processes.js';
import { writeProgram } from './fake-runtime.js';
import { badServer, call, mcpWorld, privateDirectory, textOf } from './world.js';

const refused = (message: unknown) => ({ code: 'KIT_TOOL_SANDBOX_UNAVAILABLE', message });
const stdio = (more: Partial<StdioSettings> = {}): StdioSettings => ({
  transport: 'stdio',
  command: ['serve', '--flag'],
  env: { API_KEY: 'sekret-value' },
  cwd: '/ws',
  sandbox: { image: 'tools:1', runtime: null, resources: { pids: 9 }, allow: [] },
  ...more,
});
const plan = (settings: StdioSettings, more: { readonly workspaceRoot?: string; readonly image?: string } = {}) =>
  planContainer({
    server: 'tools',
    settings,
    runtime: 'docker',
    image: 'tools:1',
    name: 'kit-mcp-x',
    owner: 'me',
    user: { uid: 65534, gid: 65534 },
    isRoot: true,
    workspaceRoot: '/ws',
    hasState: true,
    hostEnv: { PATH: '/bin' },
    way: null,
    ...more,
  });

const sandboxed = (more: JsonObject = {}): JsonObject =>
  badServer('good', '', { sandboxed: true, sandbox_image: 'tools:1', ...more });

describe('the command of a sandboxed server', () => {
  it('has no network, the workspace read-only, variables by name, and no value of theirs', () => {
    const { argv, env } = plan(stdio());

    expect(argv).toEqual([
      'docker',
      'run',
      '--rm',
      '-i',
      '--init',
      '--name=kit-mcp-x',
      '--label=kit.owner=me',
      '--log-driver=none',
      '--network=none',
      '--security-opt=no-new-privileges',
      '--cap-drop=ALL',
      '--read-only',
      '--user=65534:65534',
      '--mount=type=bind,source=/ws,target=/workspace,readonly',
      '--tmpfs=/home/kit:mode=1777',
      '--tmpfs=/workspace/.kit:mode=1777',
      '--tmpfs=/tmp:mode=1777',
      '--workdir=/workspace',
      '--memory=1g',
      '--pids-limit=9',
      '-e',
      'HOME=/home/kit',
      '-e',
      'API_KEY',
      'tools:1',
      'serve',
      '--flag',
    ]);
    expect(env).toEqual({ PATH: '/bin', API_KEY: 'sekret-value' });
  });

  it('works below the workspace where the server does', () => {
    expect(plan(stdio({ cwd: '/ws/in/ner' })).argv).toContain('--workdir=/workspace/in/ner');
  });

  it.each([
    ['a variable that steers the runtime', stdio({ env: { DOCKER_HOST: 'tcp://x' } }), {}, 'DOCKER_HOST'],
    ['a path of its own', stdio({ env: { PATH: '/x' } }), {}, 'PATH'],
    ['a variable that is an option', stdio({ env: { 'A=b --privileged': 'x' } }), {}, 'not a name of a variable'],
    ['a directory outside of the workspace', stdio({ cwd: '/etc' }), {}, 'outside'],
    ['an image that is an option', stdio(), { image: '--privileged' }, 'image'],
    ['a workspace that would add an option to the mount', stdio({ cwd: '/a,b' }), { workspaceRoot: '/a,b' }, 'comma'],
  ])('is refused with %s', (_what, settings, more, word) => {
    expect(() => plan(settings, more)).toThrow(expect.objectContaining(refused(expect.stringContaining(word))));
  });
});

/** Nothing is pulled for a test: the image has to be there. */
const IMAGE = 'node:24-slim';
const hasContainers = ['docker', 'podman'].some(
  (runtime) => spawnSync(runtime, ['image', 'inspect', IMAGE]).status === 0,
);

if (!hasContainers)
  process.stdout.write(
    `a server in a real container is not tested here: neither docker nor podman has the image ${IMAGE}\n`,
  );

describe.skipIf(!hasContainers)('a server in a real container', () => {
  it('reads the workspace, and gets its variables', async () => {
    const world = mcpWorld();
    const program = '/workspace/test/support/components/mcp-bad-server.mjs';
    const settings = {
      transport: 'stdio',
      command: ['node', program, 'good'],
      sandboxed: true,
      sandbox_image: IMAGE,
      env: { API_KEY: 'sekret-value' },
    };
    const server = await world.open(settings);

    expect(JSON.parse(textOf(await call(server, 'go', { mode: 'says' })))).toMatchObject({
      cwd: '/workspace',
      env: { API_KEY: 'sekret-value' },
    });
    expect(JSON.stringify(world.spawned.map(({ argv }) => argv))).not.toContain('sekret-value');
  });
});

describe('a sandboxed server', () => {
  const emptyPath = { env: { PATH: '/nowhere' } };

  it('is refused without a runtime, and not started without a sandbox', async () => {
    const world = mcpWorld(emptyPath);

    await expect(world.open(sandboxed())).rejects.toMatchObject(
      refused(expect.stringContaining('neither docker nor podman answers')),
    );
    expect(world.spawned.map(({ argv }) => argv.join(' '))).toEqual(['docker version', 'podman version']);
  });

  it('is refused with a runtime that is named and does not answer', async () => {
    const world = mcpWorld(emptyPath);

    await expect(world.open(sandboxed({ container_runtime: 'podman' }))).rejects.toMatchObject(
      refused(expect.stringContaining('podman does not answer')),
    );
    await expect(world.open(sandboxed({ container_runtime: 'lxc' }))).rejects.toMatchObject(
      refused(expect.stringContaining('lxc')),
    );
    expect(world.spawned.map(({ argv }) => argv.join(' '))).toEqual(['podman version']);
  });

  it('is refused without an image', async () => {
    await expect(mcpWorld().open(badServer('good', '', { sandboxed: true }))).rejects.toMatchObject(
      refused(expect.stringContaining('image')),
    );
  });

  it('is started by the runtime that answers, gets its variables, and its container is removed', async () => {
    const bin = privateDirectory();
    const root = realpathSync(privateDirectory());
    mkdirSync(join(root, 'sub'));
    // No docker here; this podman runs the command after the image on this machine and leaves the
    // rest to the tests above.
    writeProgram(bin, 'podman', 'tools:1');
    const world = mcpWorld({ root, env: { PATH: `${bin}:${process.env.PATH}` }, hides: ['docker'] });
    const MARK = `mark-${Math.random()}`;
    const server = await world.open(sandboxed({ cwd: 'sub', env: { API_KEY: 'sekret-value', MARK } }));

    expect(JSON.parse(textOf(await call(server, 'go', { mode: 'says' }))).env).toMatchObject({
      API_KEY: 'sekret-value',
    });
    await server.close();

    const started = world.spawned.map(({ argv }) => argv);
    expect(JSON.stringify(started)).not.toContain('sekret-value');
    const name = started
      .flat()
      .find((word) => word.startsWith('--name='))
      ?.slice('--name='.length);
    expect(world.spawned.at(-1)?.afterwards?.argv).toEqual(['podman', 'rm', '-f', '--time=0', name]);
    expect(processesWith(MARK)).toEqual([]);
  });
});
