import { expect, it, vi } from 'vitest';
import { linesOf } from '../../support/kit-process.js';
import { lastOf } from '../world.js';
import { ask, openFleet, until, WAIT } from './fleet.js';

it('an api accepts runs without executing them, and a worker carries them out once it is there', {
  timeout: 120_000,
}, async () => {
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
  for (const path of ['/health', '/capabilities', '/system'])
    expect((await ask(api, path)).body).toMatchObject({ role: 'api' });
  const { stores } = (await ask(api, '/storage')).body as {
    readonly stores: readonly Readonly<Record<string, unknown>>[];
  };
  expect(stores.find(({ store }) => store === 'checkpoints')).toMatchObject({ backend: 'postgres', source: 'role' });
  expect(stores.find(({ store }) => store === 'audit')).toMatchObject({
    backend: 'postgres',
    source: 'storage.runtime',
  });
  const metrics = await (await fetch(`${api.url}/metrics`)).text();
  for (const line of ['kit_server_info{role="api"} 1', 'kit_slots 0', 'kit_queue_depth 2'])
    expect(metrics.split('\n')).toContain(line);
  await vi.waitFor(
    () => expect(api.stderr()).toContain('role: api, runs are left to workers; max_queue_depth: 10000'),
    WAIT,
  );
  const worker = await fleet.worker(there, '--once', '--json');
  const ended = await worker.ended;

  expect(ended.code).toBe(0);
  expect(linesOf(ended.stdout).map(({ type }) => type)).toEqual([
    'working',
    'claimed',
    'claimed',
    'finished',
    'finished',
    'result',
  ]);
  expect(lastOf(ended)).toMatchObject({
    type: 'result',
    stopped_by: null,
    claimed: 2,
    finished: 2,
    parked: 0,
    given_back: 0,
    lost: 0,
  });
  const idle = await (await fleet.worker(there, '--once')).ended;
  expect([idle.code, idle.stderr.trim().split('\n').at(-1)]).toEqual([
    0,
    expect.stringMatching(/^worker \S+ ended: 0 claimed$/),
  ]);
  expect(await until(api, first.body.id, 'completed')).toMatchObject({
    output: 'all done',
    worker_id: expect.stringMatching(/^.+:\d+/),
  });
  expect(await until(api, second.body.id, 'completed')).toMatchObject({ attempt: 1 });
});
