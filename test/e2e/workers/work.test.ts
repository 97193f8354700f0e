import { expect, it } from 'vitest';
import { lastOf, linesOf } from '../world.js';
import { ask, openFleet, until } from './fleet.js';

it('an api accepts runs without executing them, and a worker carries them out once it is there', { timeout: 120_000 }, async () => {
  const fleet = await openFleet();
  const [here, there] = [fleet.workspace('api', { jobs: ', max_concurrent: 1' }), fleet.workspace('worker')];
  const api = await fleet.api(here);

  const first = await ask(api, '/run/talk', { input: 'hi' });
  const second = await ask(api, '/run/talk', { input: 'hi' });
  expect([first.status, first.body.status, second.status, second.body.status]).toEqual([200, 'queued', 200, 'queued']);
  expect(await fleet.database.query('SELECT status, worker_id, attempt FROM kit.jobs')).toEqual([
    { status: 'queued', worker_id: null, attempt: 0 },
    { status: 'queued', worker_id: null, attempt: 0 },
  ]);
  const worker = await fleet.worker(there, '--once', '--json');
  const ended = await worker.ended;

  expect(ended.code).toBe(0);
  expect(linesOf(ended.stdout).map(({ type }) => type)).toEqual(['working', 'claimed', 'claimed', 'finished', 'finished', 'result']);
  expect(lastOf(ended)).toMatchObject({ type: 'result', stopped_by: null });
  expect(await until(api, first.body.id, 'completed')).toMatchObject({ output: 'all done', worker_id: expect.stringMatching(/^.+:\d+/) });
  expect(await until(api, second.body.id, 'completed')).toMatchObject({ attempt: 1 });
});
