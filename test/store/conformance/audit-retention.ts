import { expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import type { RunWrite } from '../../../src/domain/journal.js';
import {
  approve,
  askWrite,
  gateOf,
  gateOpened,
  itemOf,
  openingOf,
  openWrite,
  parkWrite,
  taskOf,
} from '../../support/review-samples.js';
import {
  claimOf,
  endedEvent,
  endWrite,
  fenceOf,
  messageEvent,
  newJob,
  resumedEvent,
  runEndWrite,
  startedEvent,
  startWrite,
  stepOf,
  stopEvent,
} from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';
import { MANUAL_START_MS } from '../../support/store-world.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const LARGE = 'x'.repeat(100_000);
const AGE = { olderThanDays: 30 };
const quietly = (): void => undefined;

/** `storage.audit.retention_days`: whole runs go, and nothing else. */
export function auditRetentionLaws(world: World): void {
  const now = (plusMs = 0): string => new Date(MANUAL_START_MS + plusMs).toISOString();
  const insert = (over = {}): Promise<Job> =>
    world().stores.jobs.insert(
      newJob(world().ids.jobId(), over),
      'pending',
      [startedEvent(world().ids.uuid())],
      claimOf(),
    );
  const commit = (job: Job, ...writes: RunWrite[]) => world().stores.runs.commit(fenceOf(job), writes);
  /** A run with a large result, an artifact, an attachment and a decided gate. */
  async function ended(over = {}): Promise<Job> {
    const { stores, ids } = world();
    const job = await insert(over);
    await commit(job, startWrite(stepOf(job.id, 'root'), [messageEvent(ids.uuid(), 'said', 'root')]));
    await commit(job, endWrite('root', { status: 'ok', value: `${LARGE}${job.id}` }));
    await stores.artifacts.put({
      correlation: '',
      runId: job.id,
      name: 'draft',
      mediaType: 'text/plain',
      bytes: Buffer.from(`draft of ${job.id}`),
    });
    await commit(job, runEndWrite([endedEvent(ids.uuid())], { endedAt: now(), diffs: { coder: `+${job.id}\n` } }));
    return job;
  }
  /** What was written last stays: its numbers would be given again. */
  const newest = (): Promise<Job> => insert();
  const eventsOf = async (job: Job) => world().stores.events.readRun(job.id, 0, 1000);

  it('removes whole runs past the age, with everything that belongs to them, and keeps the end of each chain', async () => {
    const { stores } = world();
    const [old, other] = [await ended(), await ended({ topology: 'other' })];
    const last = (await eventsOf(old)).at(-1) ?? expect.fail('no event');
    const count = (await eventsOf(old)).length;
    const [artifact] = await stores.artifacts.list({ runId: old.id, limit: 10 });
    await newest();
    await world().elapse(31 * DAY_MS);

    const removed = await stores.retention.prune(AGE, quietly);

    expect(removed).toMatchObject({ runs: 2, oldest: now(), newest: now(), rows: { jobs: 2, artifacts: 2, steps: 2 } });
    expect(await stores.jobs.get(old.id)).toBeNull();
    expect(await eventsOf(old)).toEqual([]);
    expect(await stores.runs.load(old.id)).toEqual([]);
    expect(await stores.artifacts.list({ limit: 10 })).toEqual([]);
    expect(await stores.artifacts.read(artifact?.sha256 ?? '')).toBeNull();
    const kept = await stores.retention.pruned(old.id);
    expect(kept).toEqual({
      jobId: old.id,
      topology: 'review',
      status: 'completed',
      lastSeq: last.seq,
      lastHash: last.hash,
      eventCount: count,
      endedAt: now(),
      prunedAt: now(31 * DAY_MS),
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await stores.retention.pruned(other.id)).toMatchObject({ topology: 'other' });
    expect(await stores.retention.prune(AGE, quietly)).toMatchObject({
      runs: 0,
      blobs: 0,
      rows: { jobs: 0, events: 0 },
    });
  });

  it('says beforehand exactly what it will remove, and writes nothing', async () => {
    const { stores } = world();
    const shared = await stores.blobs.put(Buffer.from('a snapshot of many'));
    const file = {
      name: 'a.png',
      mediaType: 'image/png' as const,
      sizeBytes: 8,
      sourcePath: null,
      handling: 'native' as const,
    };
    const attached = await stores.blobs.put(Buffer.from('attached'));
    await ended({ snapshot: shared, attachments: [{ ...file, sha256: attached }] });
    await ended({ snapshot: shared });
    const young = await insert({ snapshot: shared });
    await newest();
    await world().elapse(31 * DAY_MS);

    const plan = await stores.retention.plan(AGE, 'exact');
    expect(await stores.retention.plan(AGE, 'exact')).toEqual(plan);
    expect(await stores.retention.growth(AGE)).toMatchObject({ due: { runs: 2, isMore: false } });
    const removed = await stores.retention.prune(AGE, quietly);

    expect(removed.rows).toEqual(plan.rows);
    expect(removed).toMatchObject({
      runs: plan.runs,
      blobs: plan.blobs,
      endedBefore: plan.endedBefore,
      oldest: plan.oldest,
      newest: plan.newest,
    });
    expect(removed.bytes.blobs).toBe(plan.bytes.blobs);
    // Two large results, two diffs, two artifacts and the attachment; the snapshot is named by the
    // young run too.
    expect(plan.blobs).toBe(7);
    expect(await stores.blobs.get(shared)).not.toBeNull();
    expect(await stores.blobs.get(attached)).toBeNull();
    expect(await stores.jobs.get(young.id)).not.toBeNull();
  });

  it('says each time anew which files are still named: one that a young run was given since is not free', async () => {
    const { stores } = world();
    const bytes = Buffer.from('attached');
    const attached = await stores.blobs.put(bytes);
    const file = {
      name: 'a.png',
      mediaType: 'image/png' as const,
      sizeBytes: 8,
      sourcePath: null,
      handling: 'native' as const,
      sha256: attached,
    };
    const job = await insert({ attachments: [file] });
    await commit(job, runEndWrite([endedEvent(world().ids.uuid())], { endedAt: now() }));
    await newest();
    await world().elapse(31 * DAY_MS);
    const free = (await stores.retention.plan(AGE, 'exact')).blobs;
    await insert({ attachments: [file] });

    expect((await stores.retention.plan(AGE, 'exact')).blobs).toBe(free - 1);
    await stores.retention.prune(AGE, quietly);
    expect(await stores.blobs.get(attached)).not.toBeNull();
  });

  it('never takes a run that may still go on: waiting, queued, running, deferred, or with somebody asked', async () => {
    const { stores, ids } = world();
    const queued = await stores.jobs.insert(newJob(ids.jobId()), 'queued', [startedEvent(ids.uuid())]);
    const running = await insert();
    const deferred = await insert();
    const gate = gateOf(deferred.id);
    await commit(
      deferred,
      openWrite(openingOf(gate, ['qa']), [gateOpened(ids.uuid(), gate)]),
      parkWrite([gate.gateId], ids.uuid()),
    );
    const asked = await insert();
    await commit(asked, askWrite([itemOf(asked.id, 'ask-1')]));
    await stores.jobs.requestStop(asked.id, 'ada', stopEvent(ids.uuid()));
    await commit(asked, runEndWrite([endedEvent(ids.uuid(), 'stopped')], { status: 'stopped', output: null }));
    await newest();
    await world().elapse(1000 * DAY_MS);

    expect(await stores.retention.plan(AGE, 'exact')).toMatchObject({ runs: 0, rows: { events: 0 } });
    expect(await stores.retention.prune(AGE, quietly)).toMatchObject({ runs: 0 });

    for (const { id } of [queued, running, deferred, asked]) expect(await stores.jobs.get(id)).not.toBeNull();
  });

  it('never takes a run whose caller may not have its result yet, and takes it when that is over', async () => {
    const { stores, ids } = world();
    const caller = await insert();
    const gate = gateOf(caller.id);
    const child = await ended({ source: 'agent', callerJobId: caller.id });
    await ended({ source: 'cli', parentJobId: caller.id });
    await commit(
      caller,
      openWrite(openingOf(gate, ['qa']), [gateOpened(ids.uuid(), gate)]),
      parkWrite([gate.gateId], ids.uuid()),
    );
    await newest();
    await world().elapse(1000 * DAY_MS);

    // What only supersedes a run is nobody's result.
    expect(await stores.retention.plan(AGE, 'exact')).toMatchObject({ runs: 1 });
    expect(await stores.retention.prune(AGE, quietly)).toMatchObject({ runs: 1 });
    expect(await stores.jobs.get(child.id)).not.toBeNull();

    await stores.reviews.change(caller.id, approve({ itemId: taskOf(gate, 'qa').id, by: 'qa-1', ids }));
    const woken = (await stores.jobs.claim(claimOf({ jobId: caller.id })))[0];
    if (woken === undefined) expect.fail('nothing was woken');
    await commit(woken, runEndWrite([endedEvent(ids.uuid())], { endedAt: now(1000 * DAY_MS) }));
    await newest();
    expect(await stores.retention.prune(AGE, quietly)).toMatchObject({ runs: 1 });
    expect(await stores.jobs.get(child.id)).toBeNull();
  });

  it('takes a stopped run only when nobody has gone on with it for so long, and a gate that was decided', async () => {
    const { stores, ids } = world();
    const decided = await insert();
    const gate = gateOf(decided.id);
    await commit(
      decided,
      openWrite(openingOf(gate, ['qa']), [gateOpened(ids.uuid(), gate)]),
      parkWrite([gate.gateId], ids.uuid()),
    );
    await stores.reviews.change(decided.id, approve({ itemId: taskOf(gate, 'qa').id, by: 'qa-1', ids }));
    const [woken] = await stores.jobs.claim(claimOf());
    if (woken === undefined) expect.fail('nothing was woken');
    await commit(woken, runEndWrite([endedEvent(ids.uuid())], { endedAt: now() }));
    const stopped = await insert();
    await commit(
      stopped,
      runEndWrite([endedEvent(ids.uuid(), 'stopped')], { status: 'stopped', output: null, endedAt: now() }),
    );
    await newest();
    await world().elapse(29 * DAY_MS);
    expect(await stores.retention.prune(AGE, quietly)).toMatchObject({ runs: 0 });
    await world().elapse(2 * DAY_MS);

    expect(await stores.retention.prune(AGE, quietly)).toMatchObject({
      runs: 2,
      rows: { gates: 1, review_items: 1, decisions: 1 },
    });

    expect(await stores.retention.pruned(stopped.id)).toMatchObject({ status: 'stopped' });
    expect(await stores.reviews.state(decided.id)).toBeNull();
    await expect(stores.jobs.resume(stopped.id, resumedEvent(ids.uuid()))).rejects.toMatchObject({
      code: 'KIT_JOB_UNKNOWN',
    });
  });

  it('keeps the run of the newest event and the one submitted last, and gives no position twice', async () => {
    const { stores, ids } = world();
    await ended();
    const last = await ended();
    const head = await stores.events.headCursor();
    await world().elapse(31 * DAY_MS);

    expect(await stores.retention.prune(AGE, quietly)).toMatchObject({ runs: 1 });
    expect(await stores.jobs.get(last.id)).not.toBeNull();
    const next = await stores.jobs.insert(newJob(ids.jobId()), 'queued', [startedEvent(ids.uuid())]);

    expect((await stores.events.read({ after: head, limit: 10 })).events).toMatchObject([{ jobId: next.id }]);
  });

  it('tells a reader whose cursor lies before what was removed that something is missing, and no other', async () => {
    const { stores } = world();
    const [old, other] = [await ended(), await insert()];
    const early = (await stores.events.read({ limit: 1 })).nextCursor;
    const late = await stores.events.headCursor();
    await newest();
    expect(await stores.events.read({ after: early, limit: 10 })).not.toHaveProperty('isTruncated');
    await world().elapse(31 * DAY_MS);
    await stores.retention.prune(AGE, quietly);

    expect(await stores.events.read({ after: early, limit: 10 })).toMatchObject({
      isTruncated: true,
      events: [{ jobId: other.id }, {}],
    });
    expect(await stores.events.read({ limit: 10 })).toMatchObject({ isTruncated: true });
    expect(await stores.events.read({ after: late, limit: 10 })).not.toHaveProperty('isTruncated');
    expect(await stores.events.read({ after: early, jobId: old.id, limit: 10 })).toMatchObject({
      isTruncated: true,
      events: [],
    });
    expect(await stores.events.read({ after: early, jobId: other.id, limit: 10 })).not.toHaveProperty('isTruncated');
  });

  it('never gives the id of a removed run to another one', async () => {
    const { stores } = world();
    const old = await ended();
    await newest();
    await world().elapse(31 * DAY_MS);
    await stores.retention.prune(AGE, quietly);

    await expect(stores.jobs.insert(newJob(old.id), 'pending', [])).rejects.toMatchObject({ code: 'KIT_JOB_ID_USED' });
  });

  it('keeps conversations: a turn whose run is gone says so, and the next one follows it', async () => {
    const { stores } = world();
    const { conversations } = stores.serving;
    const { id } = await conversations.create({ id: '0a1b2c3d', topology: 'review', createdBy: 'ada', shared: false });
    const jobId = world().ids.jobId();
    await conversations.begin(id, { jobId, message: 'hello' });
    const job = await stores.jobs.insert(newJob(jobId), 'pending', [startedEvent(world().ids.uuid())], claimOf());
    await commit(job, runEndWrite([endedEvent(world().ids.uuid())], { endedAt: now(), output: 'good day' }));
    await newest();
    await world().elapse(31 * DAY_MS);
    await stores.retention.prune(AGE, quietly);

    expect((await conversations.get(id, 'ada')).turns).toMatchObject([
      { n: 1, message: 'hello', answer: expect.stringContaining('pruned') },
    ]);
    expect(await conversations.begin(id, { jobId: world().ids.jobId(), message: 'and now?' })).toMatchObject({ n: 2 });
  });

  it('leaves bytes alone that somebody has put within the last day', async () => {
    const { stores } = world();
    const job = await ended();
    await newest();
    await world().elapse(31 * DAY_MS);
    const again = Buffer.from(`draft of ${job.id}`);
    const sha256 = await stores.blobs.put(again);

    const plan = await stores.retention.plan(AGE, 'exact');
    const removed = await stores.retention.prune(AGE, quietly);

    expect([plan.blobs, removed.blobs]).toEqual([2, 2]);
    expect(Buffer.from((await stores.blobs.get(sha256)) ?? [])).toEqual(again);
  });

  it('goes on after an interruption in the middle of a run, and says how far it is', async () => {
    const { stores, ids } = world();
    const job = await insert();
    for (let batch = 0; batch < 5; batch++) {
      const key = `step-${batch}`;
      await commit(
        job,
        startWrite(
          stepOf(job.id, key),
          Array.from({ length: 1000 }, () => messageEvent(ids.uuid(), 'said', key)),
        ),
      );
    }
    await commit(job, runEndWrite([endedEvent(ids.uuid())], { endedAt: now() }));
    await ended();
    await newest();
    await world().elapse(31 * DAY_MS);
    const reported: unknown[] = [];

    const removed = await stores.retention.prune(AGE, (done) => reported.push(done));

    expect(removed).toMatchObject({ runs: 2, rows: { events: 5002 + 3, steps: 6, jobs: 2 } });
    expect(reported.at(-1)).toEqual({ runs: 2, of: 2 });
  });
}
