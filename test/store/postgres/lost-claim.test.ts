import type { Socket } from 'node:net';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { openPostgresProcesses } from '../../support/postgres-processes.js';
import { claimOf, fenceOf, newJob } from '../../support/store-samples.js';

const processes = openPostgresProcesses();
const query = pg.Client.prototype.query;
afterEach(() => {
  pg.Client.prototype.query = query;
});

/** Calls back with the connection of the next write, before anything of it is sent. */
function onNextBegin(act: (stream: Socket) => void): void {
  let isDone = false;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    if (!isDone && typeof args[0] === 'string' && args[0].startsWith('BEGIN')) {
      isDone = true;
      act((this as unknown as { connection: { stream: Socket } }).connection.stream);
    }
    return Reflect.apply(query, this, args);
  } as typeof query;
}

const queued = async (): Promise<string> => {
  const id = processes.world.ids.jobId();
  await processes.world.stores.jobs.insert(newJob(id), 'queued', []);
  return id;
};
const stateOf = (id: string) =>
  processes.world.database.query('SELECT status, attempt FROM kit.jobs WHERE id = $1', [id]);

it('a claim whose answer was lost is told of what it took', async () => {
  const [before, id] = [await queued(), await queued()];
  // Another claim of this worker is not taken for the lost one.
  await processes.world.stores.jobs.claim(claimOf({ jobId: before }));
  const deaf = Promise.withResolvers<Socket>();
  onNextBegin((stream) => {
    stream.pause();
    deaf.resolve(stream);
  });

  const claiming = processes.world.stores.jobs.claim(claimOf({ limit: 5 }));
  const stream = await deaf.promise;
  await expect.poll(() => stateOf(id), { interval: 10 }).toEqual([{ status: 'running', attempt: 1 }]);
  stream.destroy();

  const claimed = await claiming;
  expect(claimed.map((job) => [job.id, job.attempt])).toEqual([[id, 1]]);
  for (const job of claimed) await processes.world.stores.runs.commit(fenceOf(job), processes.say(job, 'first'));
});

it('a claim that did not reach the server is made again, once', async () => {
  const id = await queued();
  onNextBegin((stream) => stream.destroy());

  expect((await processes.world.stores.jobs.claim(claimOf())).map((job) => job.id)).toEqual([id]);
  expect(await stateOf(id)).toEqual([{ status: 'running', attempt: 1 }]);
});

it('a claim says its lease by the clock of the store', async () => {
  await queued();
  const [job] = await processes.world.stores.jobs.claim(claimOf({ leaseMs: 90_000 }));
  const [row] = await processes.world.database.query<{ ms: number; at: string; text: string }>(
    `SELECT round(extract(epoch FROM lease_until::timestamptz - claimed_at::timestamptz) * 1000)::int AS ms,
       abs(extract(epoch FROM now() - claimed_at::timestamptz))::int AS at, lease_until AS text FROM kit.jobs`,
  );
  expect(row).toMatchObject({ ms: 90_000, text: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) });
  expect(job?.leaseUntil).toBe(row?.text);
});
