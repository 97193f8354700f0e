import type { Job } from '../../src/domain/job.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import { reconcileMemory } from '../../src/govern/memory/reconcile.js';
import { documentOf, indexOf } from './knowledge-samples.js';
import { calledEvent } from './model-calls.js';
import { callOf, conversation, keepCalls } from './prompt-sample.js';
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
} from './review-samples.js';
import {
  claimOf,
  endedEvent,
  endWrite,
  eventOf,
  fenceOf,
  messageEvent,
  newJob,
  runEndWrite,
  type SampleIds,
  startedEvent,
  startWrite,
  stepOf,
  stopEvent,
} from './store-samples.js';

/** What a store is filled with. */
export interface Filling {
  readonly stores: Stores;
  readonly ids: SampleIds;
  readonly runs: number;
  /** ISO 8601: when runs that are over have ended. */
  readonly endedAt: string;
  /** Characters of a large result; one in ten of the completed runs has one. */
  readonly largeChars?: number;
}

/** Some run of each state; how many of each, and the gates that are open. */
export interface Filled {
  readonly ended: readonly string[];
  readonly open: readonly { readonly jobId: string; readonly itemId: string }[];
}

const AT_ONCE = 64;

/**
 * Of every ten runs five are completed, one each failed, stopped, deferred at a gate, queued, and
 * left running by a process that is gone.
 */
export async function fillStore({ stores, ids, runs, endedAt, largeChars = 100_000 }: Filling): Promise<Filled> {
  const ended: string[] = [];
  const open: { jobId: string; itemId: string }[] = [];
  const one = async (n: number): Promise<void> => {
    const id = ids.jobId();
    const state = n % 10;
    const over = {
      correlationId: n % 3 === 0 ? `c-${n}` : null,
      labels: { n: String(n) },
      input: `look at ${n}: ä\u0000\u0010 ${'.'.repeat(200)}`,
    };
    if (state === 8) {
      await stores.jobs.insert(newJob(id, over), 'queued', [startedEvent(ids.uuid())]);
      return;
    }
    const job = await stores.jobs.insert(
      newJob(id, over),
      'pending',
      [startedEvent(ids.uuid())],
      claimOf({ workerId: `w-${n}` }),
    );
    await work(job, n);
    if (state === 9) return;
    if (state === 7) {
      const gate = gateOf(id, { expiresAt: '2036-02-01T00:00:00.000Z' });
      await commit(
        job,
        openWrite(openingOf(gate, ['qa']), [gateOpened(ids.uuid(), gate)]),
        parkWrite([gate.gateId], ids.uuid()),
      );
      open.push({ jobId: id, itemId: taskOf(gate, 'qa').id });
      return;
    }
    ended.push(id);
    const status = state === 5 ? 'failed' : state === 6 ? 'stopped' : 'completed';
    if (status === 'stopped') await stores.jobs.requestStop(id, 'ada', stopEvent(ids.uuid()));
    await commit(
      job,
      runEndWrite([endedEvent(ids.uuid(), status)], {
        status,
        endedAt,
        output: `done ${n}`,
        diffs: n % 50 === 0 ? { coder: `+${n}\n` } : null,
      }),
    );
  };
  const commit = (job: Job, ...writes: Parameters<Stores['runs']['commit']>[1]) =>
    stores.runs.commit(fenceOf(job), writes);
  const work = async (job: Job, n: number): Promise<void> => {
    await commit(
      job,
      startWrite(stepOf(job.id, 'root', { kind: 'activation' }), [messageEvent(ids.uuid(), `starts ${n}`, 'root')]),
    );
    const value = n % 10 === 0 ? `${'x'.repeat(largeChars)}${n}` : `result of ${n}: ${'y'.repeat(800)}`;
    await commit(
      job,
      startWrite(stepOf(job.id, 'root/t1'), [messageEvent(ids.uuid(), `calls ${'z'.repeat(400)}`, 'root/t1')]),
    );
    const said = [calledEvent(ids.uuid(), { cost: 0.1 }), messageEvent(ids.uuid(), `said ${n}`, 'root/t1')];
    await commit(job, endWrite('root/t1', { status: 'ok', value }, said));
    if (n % 4 === 0) {
      await stores.artifacts.put({
        correlation: '',
        runId: job.id,
        name: 'draft',
        mediaType: 'text/plain',
        bytes: Buffer.from(`draft of ${job.id}`),
      });
    }
  };
  for (let from = 0; from < runs; from += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, runs - from) }, (_, index) => one(from + index)));
  }
  await decidedGate(stores, ids);
  await serve(stores, ids);
  return { ended, open };
}

/** A gate with a decision, a question that is open, a timer. */
async function decidedGate(stores: Stores, ids: SampleIds): Promise<void> {
  const id = ids.jobId();
  const job = await stores.jobs.insert(newJob(id), 'pending', [startedEvent(ids.uuid())], claimOf());
  const gate = gateOf(id, { expiresAt: '2036-02-01T00:00:00.000Z' });
  await stores.runs.commit(fenceOf(job), [
    openWrite(openingOf(gate, ['qa']), [gateOpened(ids.uuid(), gate)]),
    parkWrite([gate.gateId], ids.uuid()),
  ]);
  await stores.reviews.change(id, approve({ itemId: taskOf(gate, 'qa').id, by: 'qa-1', ids }));
  const asking = await stores.jobs.insert(newJob(ids.jobId()), 'pending', [startedEvent(ids.uuid())], claimOf());
  const item = itemOf(asking.id, `ask-${asking.id}`);
  await stores.runs.commit(fenceOf(asking), [askWrite([item]), parkWrite([item.id], ids.uuid())]);
}

/** What servers keep. */
async function serve(stores: Stores, ids: SampleIds): Promise<void> {
  const { serving, jobs, events, memory, knowledge } = stores;
  await jobs.insertOnce({ clientId: 'ada', key: 'k', digest: 'd' }, newJob(ids.jobId()), 'queued', [
    startedEvent(ids.uuid()),
  ]);
  await events.append(eventOf(ids.uuid(), 'input.rejected', { errors: [] }), {});
  const line = { clientId: 'ada', provider: 'none', method: 'GET', route: '/jobs', status: 200, requestId: 'r' };
  await serving.recordAccess(Array.from({ length: 1_500 }, (_, n) => ({ ...line, requestId: `r-${n}` })));
  await serving.takeOccurrence('nightly', '2026-01-02T03:00:00.000Z');
  await serving.canary.record('route', {
    jobId: ids.jobId(),
    version: '2.0.0',
    failed: false,
    drift: 0.1,
    windowMs: 1_000,
  });
  const change = {
    topology: 'review',
    weights: { '2.0.0': 100 },
    oldWeights: { '2.0.0': 10 },
    counters: [],
    by: 'ada',
    reason: 'promote',
  } as const;
  await serving.canary.override('route', change, null);
  const { id } = await serving.conversations.create({
    id: '0a1b2c3d',
    topology: 'review',
    createdBy: 'ada',
    shared: false,
  });
  await serving.conversations.begin(id, { jobId: ids.jobId(), message: 'hello' });
  const documents = { 'a.md': '# Refunds\n\nwithin 30 days', 'b/ä.md': 'naïve "text"' };
  for (const text of Object.values(documents)) await knowledge.putDocument(documentOf(text));
  await knowledge.putIndex(indexOf(documents));
  const talk = conversation('talk');
  await keepCalls(stores, [callOf(1), talk(2, ['system', 'task']), talk(3, ['answer'])], {
    count: 10,
    bytes: 1_000_000,
    ageMs: 5 * 365 * 24 * 60 * 60 * 1000,
  });
  await memory.write({
    origin: 'person',
    owner: 'ada',
    session: null,
    jobId: null,
    writeId: 'w',
    decide: reconcileMemory,
    candidates: ['euro', 'yen'].map((value) => ({
      subject: 's',
      attribute: 'a',
      value,
      type: 'semantic',
      confidence: 1,
      source: 'ada',
      relation: null,
    })),
  });
}
