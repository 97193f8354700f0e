import { expect, it } from 'vitest';
import { makeRepositoryIn } from '../repository.js';
import { harnessWorkspace } from '../workspaces.js';
import { lastOf, linesOf } from '../world.js';
import { ask, openFleet, until } from './fleet.js';

const DONE = 'echo "{\\"type\\":\\"done\\",\\"text\\":\\"built\\"}"';

it('a run whose adapter nobody has approved on a machine is left to a worker that may start it', { timeout: 180_000 }, async () => {
  const fleet = await openFleet();
  const files = harnessWorkspace(DONE);
  const { root: dir } = makeRepositoryIn(fleet.world, 'own', {
    ...files,
    'workspace.yaml': `${files['workspace.yaml']}storage: { runtime: { backend: postgres, url: "\${RUNS_URL}" } }\n`,
  });
  const api = await fleet.api(dir);
  const { id, status } = (await ask(api, '/run/own', { input: 'build' })).body;
  expect(status).toBe('queued');

  const stranger = await (await fleet.worker(dir, '--once', '--json')).ended;
  expect([stranger.code, linesOf(stranger.stdout).map(({ type }) => type)]).toEqual([0, ['working', 'result']]);
  expect((await ask(api, `/jobs/${String(id)}`)).body).toMatchObject({ status: 'queued', attempt: 0, job_class: 'harness' });

  const refusal = lastOf(await fleet.world.kit(['run', dir, 'own', '--input', 'x', '--json'], { env: fleet.env }));
  const { digest } = (refusal.data as { readonly adapters: readonly { readonly digest: string }[] }).adapters[0] ?? expect.fail();
  const waiting = await fleet.worker(dir, '--json');
  const mine = await fleet.world.kit(['run', dir, 'own', '--input', 'x', '--trust', digest, '--json'], { env: fleet.env });
  expect(mine.code).toBe(0);

  // The worker that was there before the approval takes the run without a restart.
  expect(await until(api, id, 'completed')).toMatchObject({ attempt: 1, output: 'built' });
  expect(waiting.child.exitCode).toBeNull();
});
