import { expect, it } from 'vitest';
import type { Fence, Job } from '../../../src/domain/job.js';
import { prunedOutcome, type RunWrite, type StepRow } from '../../../src/domain/journal.js';
import type { NewJob } from '../../../src/domain/ports/stores.js';
import {
  claimOf,
  endedEvent,
  endWrite,
  fenceOf,
  HERE,
  messageEvent,
  newJob,
  runEnd,
  runEndWrite,
  startWrite,
  stepOf,
} from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Later than every end in these laws. */
const FAR = '2030-01-01T00:00:00.000Z';
const LARGE = 'x'.repeat(100_000);

export function retentionLaws(world: World): void {
  const running = (): Promise<Job> => world().stores.jobs.insert(newJob(world().ids.jobId()), 'pending', [], claimOf());
  const commit = (fence: Fence, ...writes: RunWrite[]) => world().stores.runs.commit(fence, writes);

  /**
   * An activation with a model call, a failed tool call and a large result below it, and one step
   * that a crash left in doubt.
   */
  async function workedOn(): Promise<Job> {
    const job = await running();
    const fence = fenceOf(job);
    await commit(fence, startWrite(stepOf(job.id, 'root', { kind: 'activation' })));
    await commit(fence, startWrite(stepOf(job.id, 'root/t1'), [messageEvent(world().ids.uuid(), 'said', 'root/t1')]));
    await commit(fence, endWrite('root/t1', { status: 'ok', value: { secret: 'the answer' } }));
    await commit(fence, startWrite(stepOf(job.id, 'root/t1/c0:fetch', { kind: 'tool' })));
    await commit(
      fence,
      endWrite('root/t1/c0:fetch', {
        status: 'failed',
        reason: 'exit_code',
        message: 'the secret stderr',
        data: { tail: 'secret' },
      }),
    );
    await commit(fence, startWrite(stepOf(job.id, 'root/t1/c1:read', { kind: 'tool' })));
    await commit(fence, endWrite('root/t1/c1:read', { status: 'ok', value: LARGE }));
    await commit(fence, startWrite(stepOf(job.id, 'root/t2')));
    await commit(fence, endWrite('root', { status: 'ok', value: 'root result' }));
    return job;
  }
  const end = (job: Job) => commit(fenceOf(job), runEndWrite([endedEvent(world().ids.uuid())]));
  const ended = async (): Promise<Job> => {
    const job = await workedOn();
    await end(job);
    return job;
  };
  const rowsOf = async (job: Job): Promise<ReadonlyMap<string, StepRow>> =>
    new Map((await world().stores.runs.load(job.id)).map((row) => [row.key, row]));

  it('removes the results of an ended job but for those of its activations, and keeps everything else', async () => {
    const job = await ended();
    const { stores } = world();
    const [before, events, row] = [
      await rowsOf(job),
      await stores.events.readRun(job.id, 0, 100),
      await stores.jobs.get(job.id),
    ];

    expect(await stores.runs.prune({ endedBefore: FAR, limit: 10 })).toEqual({ jobs: 1, more: false });
    await world().reopen();

    const after = await rowsOf(job);
    expect([...after.keys()]).toEqual([...before.keys()]);
    expect(JSON.stringify([...after.values()])).not.toMatch(/secret|xxx/);
    for (const key of ['root', 'root/t2']) expect(after.get(key)).toEqual(before.get(key));
    for (const key of ['root/t1', 'root/t1/c0:fetch', 'root/t1/c1:read']) {
      const { outcome, ...rest } = before.get(key) ?? expect.fail(key);
      expect(after.get(key)).toEqual({
        ...rest,
        outcome: outcome === null ? null : prunedOutcome(outcome),
        prunedAt: expect.any(String),
      });
    }
    expect(await world().stores.events.readRun(job.id, 0, 100)).toEqual(events);
    expect(await world().stores.jobs.get(job.id)).toEqual(row);
  });

  it('leaves a pruned step with an outcome, and one in doubt without: neither looks like the other', async () => {
    const job = await ended();

    await world().stores.runs.prune({ endedBefore: FAR, limit: 10 });

    const rows = await rowsOf(job);
    expect(rows.get('root/t1/c0:fetch')?.outcome).toMatchObject({ status: 'failed', reason: 'exit_code' });
    expect(rows.get('root/t2')).toMatchObject({ outcome: null });
    expect(rows.get('root/t2')?.prunedAt).toBeUndefined();
  });

  it('prunes each job once, the earliest end first, and says whether more are due', async () => {
    const [late, early, young] = [await workedOn(), await workedOn(), await workedOn()];
    await end(early);
    await world().elapse(DAY_MS);
    await end(late);
    const { runs, jobs } = world().stores;
    const request = { endedBefore: (await jobs.get(late.id))?.completedAt ?? '', limit: 1 };
    await world().elapse(DAY_MS);
    await end(young);
    const isPruned = async (job: Job) => (await rowsOf(job)).get('root/t1')?.prunedAt !== undefined;

    expect(await runs.prune(request)).toEqual({ jobs: 1, more: true });
    expect([await isPruned(early), await isPruned(late)]).toEqual([true, false]);
    expect(await runs.prune(request)).toEqual({ jobs: 1, more: false });
    expect(await runs.prune(request)).toEqual({ jobs: 0, more: false });
    expect([await isPruned(late), await isPruned(young)]).toEqual([true, false]);
  });

  it('leaves jobs alone that are running or can go on', async () => {
    const { stores, ids, elapse } = world();
    const stopped = await workedOn();
    await commit(fenceOf(stopped), runEndWrite([endedEvent(ids.uuid(), 'stopped')], { status: 'stopped' }));
    const parked = await workedOn();
    await commit(fenceOf(parked), {
      op: 'run.parked',
      waitingOn: ['g-1'],
      error: 'waits',
      autoResume: true,
      events: [],
    });
    const abandoned = await workedOn();
    await elapse(10 * 60_000);
    await stores.jobs.sweep(HERE);
    const busy = await workedOn();
    const before = await Promise.all([stopped, parked, abandoned, busy].map((job) => stores.runs.load(job.id)));

    expect(await stores.runs.prune({ endedBefore: FAR, limit: 10 })).toEqual({ jobs: 0, more: false });

    expect(await Promise.all([stopped, parked, abandoned, busy].map((job) => stores.runs.load(job.id)))).toEqual(
      before,
    );
  });

  it('prunes a journal of many steps to its last row', async () => {
    const job = await running();
    const keys = Array.from({ length: 150 }, (_, n) => `root/t${n}`);
    for (const key of keys)
      await commit(fenceOf(job), startWrite(stepOf(job.id, key)), endWrite(key, { status: 'ok', value: key }));
    await commit(fenceOf(job), runEndWrite([endedEvent(world().ids.uuid())]));

    await world().stores.runs.prune({ endedBefore: FAR, limit: 1 });

    expect((await world().stores.runs.load(job.id)).filter((row) => row.prunedAt === undefined)).toEqual([]);
  });

  it('removes results in the commit that ends the run, where it says so', async () => {
    const job = await workedOn();
    const discard = ['root/t1', 'root/t1/c1:read'].map((key) => ({
      key,
      outcome: { status: 'ok', value: null } as const,
    }));
    await commit(fenceOf(job), { op: 'run.ended', end: runEnd(), events: [endedEvent(world().ids.uuid())], discard });
    await world().reopen();

    const rows = await rowsOf(job);
    for (const { key, outcome } of discard)
      expect(rows.get(key)).toMatchObject({ outcome, prunedAt: expect.any(String), usage: { inputTokens: 10 } });
    expect(rows.get('root/t1/c0:fetch')?.outcome).toMatchObject({ message: 'the secret stderr' });
  });

  it.each([
    ['of a run that is stopped', 'stopped', 'root/t1'],
    ['that is not there', 'completed', 'root/t2'],
    ['of a step that never was', 'completed', 'ghost'],
  ] as const)('refuses to end a run and remove a result %s', async (_, status, key) => {
    const job = await workedOn();
    const before = await world().stores.runs.load(job.id);
    const discard = [{ key, outcome: { status: 'ok', value: null } as const }];

    const end = commit(fenceOf(job), {
      op: 'run.ended',
      end: runEnd({ status }),
      events: [endedEvent(world().ids.uuid(), status)],
      discard,
    });
    await expect(end).rejects.toMatchObject({ code: 'KIT_INTERNAL' });

    expect(await world().stores.jobs.get(job.id)).toMatchObject({ status: 'running' });
    expect(await world().stores.runs.load(job.id)).toEqual(before);
  });

  it('keeps the bytes of a large result that another step names', async () => {
    const { stores, elapse } = world();
    const bytes = Buffer.from(JSON.stringify({ status: 'ok', value: LARGE }));
    const [job, other] = [await ended(), await running()];
    await commit(
      fenceOf(other),
      startWrite(stepOf(other.id, 'root')),
      endWrite('root', { status: 'ok', value: LARGE }),
    );
    const sha256 = await stores.blobs.put(bytes);
    await stores.runs.prune({ endedBefore: FAR, limit: 10 });

    await elapse(2 * DAY_MS);
    await stores.runs.prune({ endedBefore: FAR, limit: 10 });

    expect((await rowsOf(job)).get('root/t1/c1:read')?.prunedAt).toBeDefined();
    expect(Buffer.from((await stores.blobs.get(sha256)) ?? []).equals(bytes)).toBe(true);
    expect((await stores.runs.load(other.id))[0]?.outcome).toEqual({ status: 'ok', value: LARGE });
  });

  it.each<[string, (sha256: string) => Partial<NewJob>]>([
    ['snapshot', (sha256) => ({ snapshot: sha256 })],
    [
      'attachment',
      (sha256) => ({
        attachments: [
          { name: 'a.png', mediaType: 'image/png', sizeBytes: 1, sha256, sourcePath: null, handling: 'native' },
        ],
      }),
    ],
  ])('keeps bytes that a job names as its %s', async (_, named) => {
    const { stores, ids, elapse } = world();
    await ended();
    const sha256 = await stores.blobs.put(Buffer.from(JSON.stringify({ status: 'ok', value: LARGE })));
    await stores.jobs.insert(newJob(ids.jobId(), named(sha256)), 'pending', []);
    await stores.runs.prune({ endedBefore: FAR, limit: 10 });

    await elapse(2 * DAY_MS);
    await stores.runs.prune({ endedBefore: FAR, limit: 10 });

    expect(await stores.blobs.get(sha256)).not.toBeNull();
  });

  it('keeps the diffs of a pruned run', async () => {
    const { stores, ids, elapse } = world();
    const diffs = { status: 'ok', value: LARGE };
    const job = await workedOn();
    await commit(fenceOf(job), runEndWrite([endedEvent(ids.uuid())], { diffs }));
    await stores.runs.prune({ endedBefore: FAR, limit: 10 });

    await elapse(2 * DAY_MS);
    await stores.runs.prune({ endedBefore: FAR, limit: 10 });

    expect(await stores.jobs.diffs(job.id)).toEqual(diffs);
  });

  it('removes the bytes of a large result a day after the last row that named it was pruned', async () => {
    const { stores, elapse } = world();
    await ended();
    const sha256 = await stores.blobs.put(Buffer.from(JSON.stringify({ status: 'ok', value: LARGE })));
    await stores.runs.prune({ endedBefore: FAR, limit: 10 });
    await elapse(DAY_MS - 1000);
    await stores.runs.prune({ endedBefore: FAR, limit: 10 });
    expect(await stores.blobs.get(sha256)).not.toBeNull();

    await elapse(2000);
    await stores.runs.prune({ endedBefore: FAR, limit: 10 });

    expect(await stores.blobs.get(sha256)).toBeNull();
  });

  it('keeps bytes that somebody has put again: a row is about to name them', async () => {
    const { stores, elapse } = world();
    await ended();
    const bytes = Buffer.from(JSON.stringify({ status: 'ok', value: LARGE }));
    await stores.runs.prune({ endedBefore: FAR, limit: 10 });
    await elapse(2 * DAY_MS);
    const sha256 = await stores.blobs.put(bytes);

    await stores.runs.prune({ endedBefore: FAR, limit: 10 });
    expect(await stores.blobs.get(sha256)).not.toBeNull();

    await elapse(2 * DAY_MS);
    await stores.runs.prune({ endedBefore: FAR, limit: 10 });
    expect(await stores.blobs.get(sha256)).toBeNull();
  });
}
