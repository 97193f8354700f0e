import { expect, it, vi } from 'vitest';
import { idleTopology } from '../../support/http/idle-workspace.js';
import { linesOf } from '../../support/kit-process.js';
import { makeRepositoryIn } from '../repository.js';
import { harnessWorkspace } from '../workspaces.js';
import { lastOf } from '../world.js';
import { ask, type Fleet, openFleet, until, WAIT } from './fleet.js';

const DONE = 'echo "{\\"type\\":\\"done\\",\\"text\\":\\"built\\"}"';

function makeWorkspace(fleet: Fleet): string {
  const files = harnessWorkspace(DONE);
  return makeRepositoryIn(fleet.world, 'own', {
    ...files,
    'workspace.yaml': `${files['workspace.yaml']}storage: { runtime: { backend: postgres, url: "\${RUNS_URL}" } }\n`,
    'topologies/idle.yaml': idleTopology('idle'),
  }).root;
}

/** The digest that the refusal of a run names. */
async function digestOf(fleet: Fleet, dir: string): Promise<string> {
  const refusal = lastOf(await fleet.world.kit(['run', dir, 'own', '--input', 'x', '--json'], { env: fleet.env }));
  const [adapter] = (refusal.data as { readonly adapters: readonly { readonly digest: string }[] }).adapters;
  return adapter?.digest ?? expect.fail();
}

it('a run whose adapter nobody has approved on a machine is left to a worker that may start it', {
  timeout: 180_000,
}, async () => {
  const fleet = await openFleet();
  const dir = makeWorkspace(fleet);
  const api = await fleet.api(dir);
  const { id, status } = (await ask(api, '/run/own', { input: 'build' })).body;
  expect(status).toBe('queued');

  const stranger = await (await fleet.worker(dir, '--once', '--json')).ended;
  expect([stranger.code, linesOf(stranger.stdout).map(({ type }) => type)]).toEqual([0, ['working', 'result']]);
  expect((await ask(api, `/jobs/${String(id)}`)).body).toMatchObject({
    status: 'queued',
    attempt: 0,
    job_class: 'harness',
  });

  const digest = await digestOf(fleet, dir);
  const waiting = await fleet.worker(dir, '--json');
  const mine = await fleet.world.kit(['run', dir, 'own', '--input', 'x', '--trust', digest, '--json'], {
    env: fleet.env,
  });
  expect(mine.code).toBe(0);

  // The worker that was there before the approval takes the run without a restart.
  expect(await until(api, id, 'completed')).toMatchObject({ attempt: 1, output: 'built' });
  expect(waiting.child.exitCode).toBeNull();
});

it('a server that executes runs itself leaves such a run to others too, also after a reload, and tells what is missing', {
  timeout: 180_000,
}, async () => {
  const fleet = await openFleet();
  const dir = makeWorkspace(fleet);
  const api = await fleet.api(dir);
  const server = await fleet.server(dir);
  const { id } = (await ask(api, '/run/own', { input: 'build' })).body;
  const isLeft = async (): Promise<void> => {
    // Younger, so the server had a look at the other one first.
    const later = (await ask(api, '/run/idle', { input: 'x' })).body;
    await until(api, later.id, 'completed');
    expect((await ask(api, `/jobs/${String(id)}`)).body).toMatchObject({ status: 'queued', attempt: 0 });
  };
  await isLeft();
  expect((await ask(server, '/reload', {})).status).toBe(200);
  await isLeft();
  const missing = [expect.stringMatching(/^the adapter own with the digest \S+ is not there/)];
  await vi.waitFor(
    async () => expect((await ask(api, '/queue/stats')).body.blocked).toMatchObject([{ jobs: 1, missing }]),
    WAIT,
  );

  const mine = await fleet.world.kit(
    ['run', dir, 'own', '--input', 'x', '--trust', await digestOf(fleet, dir), '--json'],
    { env: fleet.env },
  );
  expect(mine.code).toBe(0);

  expect(await until(api, id, 'completed')).toMatchObject({ attempt: 1, output: 'built' });
});
