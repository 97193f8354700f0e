import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import { addFunctions } from '../../../src/store/sqlite/functions.js';
import { committed } from '../../support/committed.js';
import {
  claimOf,
  fenceOf,
  messageEvent,
  newJob,
  startedEvent,
  startWrite,
  stepOf,
} from '../../support/store-samples.js';
import { openSqliteWorld, type SqliteWorld } from '../../support/store-world.js';

describe('what the writer of a SQLite store remembers of a run between two commits', () => {
  let world: SqliteWorld;
  let other: Database.Database;
  let job: Job;
  let isBroken: boolean;
  beforeEach(async () => {
    isBroken = false;
    world = await openSqliteWorld({
      faults: {
        hit: (point) => {
          if (isBroken && point === 'run.step_started:before') throw new Error('no commit');
        },
      },
    });
    other = new Database(world.path, { timeout: 1000 });
    addFunctions(other, 'write');
    job = await world.stores.jobs.insert(newJob(world.ids.jobId()), 'pending', [startedEvent('e-1')], claimOf());
    await commit('a');
  });
  afterEach(async () => {
    other.close();
    await world.dispose();
  });

  const commit = (key: string) =>
    committed(world.stores, fenceOf(job), [startWrite(stepOf(job.id, key), [messageEvent(`of ${key}`, key)])]);

  it('is forgotten when another process takes the run over', async () => {
    other.prepare("UPDATE jobs SET worker_id = 'w2', attempt = attempt + 1 WHERE id = ?").run(job.id);

    await expect(commit('b')).rejects.toMatchObject({ code: 'KIT_LEASE_LOST' });
    expect((await world.stores.runs.load(job.id)).map((row) => row.key)).toEqual(['a']);
  });

  it('is forgotten when another process writes to the log of the run', async () => {
    other
      .prepare(
        `INSERT INTO event_rows (run, seq, event_id, type, timestamp, topology_id, payload, labels, hash)
         SELECT run, 3, 'foreign', 'run.stopped', timestamp, topology_id, '{}', labels, 'h3' FROM events WHERE job_id = ? AND seq = 2`,
      )
      .run(job.id);

    const [stored] = await commit('b');

    expect(stored).toMatchObject({ seq: 4, prevHash: 'h3' });
  });

  it('does not hide a stop that another process asks for', async () => {
    expect(await world.stores.jobs.isStopRequested(job.id)).toBe(false);

    other.prepare("UPDATE jobs SET stop_requested_at = '2026-01-01T00:00:00.000Z' WHERE id = ?").run(job.id);

    expect(await world.stores.jobs.isStopRequested(job.id)).toBe(true);
  });

  it('does not hide a stop that this process asks for', async () => {
    expect(await world.stores.jobs.isStopRequested(job.id)).toBe(false);

    await world.stores.jobs.requestStop(job.id, 'ada', messageEvent('stop', 'stop'));

    expect(await world.stores.jobs.isStopRequested(job.id)).toBe(true);
  });

  it('holds nothing of a group that was refused', async () => {
    const refused = world.stores.runs.commit(fenceOf(job), [
      startWrite({ ...stepOf(job.id, 'b'), jobId: 'another' }, [messageEvent('b', 'b')]),
    ]);
    await expect(refused).rejects.toMatchObject({ code: 'KIT_INTERNAL' });

    const [stored] = await commit('c');

    expect(stored).toMatchObject({ seq: 3 });
    expect((await world.stores.events.readRun(job.id, 0, 10)).map((event) => event.seq)).toEqual([1, 2, 3]);
  });

  it('takes what a group that was refused, or failed, would have told for told by nobody', async () => {
    // One claim writes with one fence, and what is known under it outlives the group.
    const fence = fenceOf(job);
    const beside = (fails: boolean) => {
      const bad = stepOf(job.id, 'bad');
      return Promise.allSettled([
        world.stores.runs.commit(fence, [startWrite(stepOf(job.id, 'b'), [messageEvent('of b', 'b', 'b')])]),
        ...(fails ? [world.stores.runs.commit(fence, [startWrite({ ...bad, jobId: 'another' })])] : []),
      ]);
    };
    isBroken = true;
    await beside(false);
    isBroken = false;

    expect((await beside(true)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);

    const reported = await world.stores.events.readRun(job.id, 0, 10);
    expect(reported.map(({ eventId, seq }) => [eventId, seq])).toEqual([
      ['e-1', 1],
      ['of a', 2],
      ['of b', 3],
    ]);
  });

  it('knows a run that was inserted under a claim, and no stop that another process asked for since', async () => {
    const inserted = await world.stores.jobs.insert(newJob(world.ids.jobId()), 'pending', [], claimOf());
    expect(await world.stores.jobs.isStopRequested(inserted.id)).toBe(false);

    other.prepare("UPDATE jobs SET attempt = 2, stop_requested_at = '2026-01-01' WHERE id = ?").run(inserted.id);

    expect(await world.stores.jobs.isStopRequested(inserted.id)).toBe(true);
    const late = world.stores.runs.commit(fenceOf(inserted), [startWrite(stepOf(inserted.id, 'a'))]);
    await expect(late).rejects.toMatchObject({ code: 'KIT_LEASE_LOST' });
  });

  it('holds nothing of a group whose commit failed', async () => {
    isBroken = true;
    await expect(commit('b')).rejects.toThrow('no commit');
    isBroken = false;

    const [stored] = await commit('c');

    expect(stored).toMatchObject({ seq: 3 });
  });

  it('ends with the lease: a write behind its release is refused', async () => {
    await world.stores.jobs.release(fenceOf(job));

    await expect(commit('b')).rejects.toMatchObject({ code: 'KIT_LEASE_LOST' });
  });
});
