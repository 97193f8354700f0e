import type { Job } from '../../src/domain/job.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import { reconcileMemory } from '../../src/govern/memory/reconcile.js';
import { memberOf } from './fleet-samples.js';
import { documentOf, indexOf } from './knowledge-samples.js';
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
  createIds,
  endedEvent,
  endWrite,
  eventOf,
  fenceOf,
  HERE,
  messageEvent,
  newJob,
  noteWrite,
  resumedEvent,
  runEndWrite,
  type SampleIds,
  startedEvent,
  startWrite,
  stepOf,
  stopEvent,
} from './store-samples.js';

export interface CrashScenario {
  readonly stores: Stores;
  /** Lets the store's clock run on. */
  readonly clock: { advance(ms: number): void | Promise<void> };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Every kind of durable write at least once; the same calls with the same ids in each process that
 * runs it.
 */
export async function runCrashScenario({ stores, clock }: CrashScenario): Promise<void> {
  const ids = createIds();
  const [a, b, c] = [ids.jobId(), ids.jobId(), ids.jobId()];
  const say = (text: string, key: string) => [messageEvent(ids.uuid(), text, key)];
  await stores.blobs.put(Buffer.from('snapshot'));
  await stores.jobs.insert(newJob(a), 'queued', [startedEvent(ids.uuid())]);
  let jobB: Job = await stores.jobs.insert(
    newJob(b, { recover: 'manual' }),
    'pending',
    [startedEvent(ids.uuid())],
    claimOf({ workerId: 'b' }),
  );
  const [jobA] = await stores.jobs.claim(claimOf({ workerId: 'a' }));
  if (jobA === undefined) throw new Error('nothing to claim');
  const fenceA = fenceOf(jobA);
  await stores.jobs.heartbeat(fenceA, 60_000, 1000);
  await stores.runs.commit(fenceA, [startWrite(stepOf(a, 'root'), say('starts', 'root'))]);
  await stores.runs.commit(fenceA, [noteWrite('root', { session: 's-1' }, say('session', 'root'))]);
  await stores.runs.commit(fenceA, [
    endWrite('root', { status: 'ok', value: 1 }, say('ends', 'root')),
    startWrite(stepOf(a, 'large'), say('next', 'large')),
  ]);
  await stores.artifacts.put({
    correlation: '',
    runId: a,
    name: 'draft',
    mediaType: 'text/plain',
    bytes: Buffer.from('a draft'),
  });
  await stores.runs.commit(fenceA, [
    endWrite('large', { status: 'ok', value: 'x'.repeat(100_000) }, say('large ends', 'large')),
  ]);
  await Promise.all([
    stores.runs.commit(fenceA, [startWrite(stepOf(a, 'third'), say('a', 'third'))]),
    stores.runs.commit(fenceOf(jobB), [startWrite(stepOf(b, 'root'), say('b', 'root'))]),
  ]);
  const gate = gateOf(b, { expiresAt: '2026-02-01T00:00:00.000Z' });
  await stores.runs.commit(fenceOf(jobB), [
    openWrite(openingOf(gate, ['qa']), [gateOpened(ids.uuid(), gate)]),
    askWrite([itemOf(b, 'ask-1')]),
    parkWrite([gate.gateId], ids.uuid()),
  ]);
  await stores.reviews.change(b, approve({ itemId: taskOf(gate, 'qa').id, by: 'qa-1', ids }));
  const [woken] = await stores.jobs.claim(claimOf({ workerId: 'b1' }));
  if (woken === undefined) throw new Error('nothing was woken');
  await stores.runs.commit(fenceOf(woken), [
    startWrite(stepOf(b, 'elsewhere')),
    noteWrite('elsewhere', { remote: { task: 't-1' } }),
    parkWrite(['ask-1'], ids.uuid(), { remote: ['elsewhere'] }),
  ]);
  const [held] = await stores.remoteWaits.hold(await stores.remoteWaits.due(10), 60_000);
  if (held === undefined) throw new Error('nothing waits elsewhere');
  await stores.remoteWaits.settle(held, { wakes: false });
  jobB = await stores.jobs.resume(b, resumedEvent(ids.uuid()), claimOf({ workerId: 'b2' }));
  await stores.jobs.release(fenceOf(jobB));
  await stores.jobs.requestStop(b, 'ada', stopEvent(ids.uuid()));
  await stores.events.append(eventOf(ids.uuid(), 'input.rejected', { errors: [] }), {});
  await stores.jobs.insert(newJob(c), 'pending', [startedEvent(ids.uuid())], claimOf({ workerId: 'c', leaseMs: 10 }));
  const d = ids.jobId();
  const begun = [
    stepOf(d, 'root/a', { outcome: { status: 'ok', value: 'y'.repeat(100_000) }, endedAt: '2026-01-02T03:04:06.000Z' }),
  ];
  await stores.jobs.insertBegun(
    newJob(d, { recover: 'manual' }),
    { status: 'pending', events: [startedEvent(ids.uuid())], steps: begun },
    { kind: 'claimed', claim: claimOf({ workerId: 'd' }) },
  );
  await clock.advance(1000);
  await stores.jobs.sweep(HERE);
  await stores.runs.commit(fenceA, [
    endWrite('third', { status: 'failed', reason: 'timeout', message: 'late' }, say('third ends', 'third')),
    runEndWrite([endedEvent(ids.uuid())], { diffs: { coder: '+line\n' } }),
  ]);
  await stores.runs.prune({ endedBefore: '2030-01-01T00:00:00.000Z', limit: 10 });
  await serve(stores, ids);
  await clock.advance(2 * DAY_MS);
  await stores.runs.prune({ endedBefore: '2030-01-01T00:00:00.000Z', limit: 10 });
  await stores.retention.prune({ olderThanDays: 1 }, () => {});
}

/** What a server writes beside the runs. */
async function serve({ serving, jobs, memory, knowledge, sealed }: Stores, ids: SampleIds): Promise<void> {
  await jobs.insertOnce({ clientId: 'ada', key: 'k', digest: 'd' }, newJob(ids.jobId()), 'queued', [
    startedEvent(ids.uuid()),
  ]);
  await serving.recordAccess([
    { clientId: 'ada', provider: 'none', method: 'POST', route: '/run/:topology', status: 200, requestId: 'r-1' },
    { clientId: 'ada', provider: 'none', method: 'GET', route: '/jobs', status: 403, requestId: 'r-2' },
  ]);
  await serving.takeOccurrence('nightly', '2026-01-02T03:00:00.000Z');
  await serving.lead('cron', 'one', 60_000);
  await serving.yieldLead('cron', 'one');
  await serving.canary.record('route', {
    jobId: ids.jobId(),
    version: '2.0.0',
    failed: false,
    drift: 0.5,
    windowMs: DAY_MS,
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
  const jobId = ids.jobId();
  await serving.conversations.begin(id, { jobId, message: 'hello' });
  await serving.conversations.giveBack(jobId);
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
  await knowledge.putDocument(documentOf('# Refunds\n\nwithin 30 days'));
  await knowledge.putIndex(indexOf({ 'a.md': '# Refunds\n\nwithin 30 days' }));
  await knowledge.putDocument(documentOf('what no index names'));
  await serving.fleet.beat(memberOf(), 3_600_000);
  await login(sealed);
  await serving.fleet.leave(memberOf().id);
}

/** A token that is kept, refreshed by one of many, and removed. */
async function login(sealed: Stores['sealed']): Promise<void> {
  const token = {
    ...{ space: 'oauth', kind: 'token', name: 'notes', owner: 'ada', keyId: 'key-1', revision: 1 },
    ...{ writtenAt: '2026-01-02T03:04:05.000Z', sealed: 'dG9rZW4=' },
  };
  await sealed.put(token);
  await sealed.lease('refresh notes', 'one', 30_000);
  await sealed.letGo('refresh notes', 'one');
  await sealed.take(token);
}
