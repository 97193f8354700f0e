import type { EventType, RunEvent } from '../../src/domain/events.js';
import type { Fence, Job } from '../../src/domain/job.js';
import { ENGINE, type RunEnd, type RunWrite, type StepOutcome, type StepRow } from '../../src/domain/journal.js';
import type { ClaimRequest, NewJob, WorkerHost } from '../../src/domain/ports/stores.js';

/** Counts up instead of drawing: the same call order gives the same ids. */
export function createIds(prefix = 0) {
  let count = 0;
  const next = (): number => ++count;
  return {
    jobId: (): string => (prefix * 0x1000000 + next()).toString(16).padStart(12, '0'),
    uuid: (): string =>
      `${prefix.toString(16).padStart(8, '0')}-0000-4000-8000-${next().toString(16).padStart(12, '0')}`,
    workerId: (): string => `host:1:${next()}`,
  };
}

export type SampleIds = ReturnType<typeof createIds>;

/** A lease held here is judged by time, because no observer in the suite runs there. */
export const ELSEWHERE: WorkerHost = { hostname: 'far-away', bootId: 'boot-far', pid: 4242, processStart: '1' };
export const HERE: WorkerHost = { hostname: 'here', bootId: 'boot-here', pid: 1, processStart: '1' };

export function newJob(id: string, over: Partial<NewJob> = {}): NewJob {
  return {
    id,
    topology: 'review',
    version: null,
    input: 'look at this',
    correlationId: null,
    labels: {},
    parentJobId: null,
    callerJobId: null,
    source: 'cli',
    submittedBy: { identity: 'ada', assurance: 'asserted' },
    jobClass: 'model',
    priority: 0,
    engine: ENGINE,
    needs: { plugins: {}, adapters: {} },
    snapshot: 'a'.repeat(64),
    recover: 'auto',
    timeoutMs: null,
    attachments: [],
    traceParent: null,
    ...over,
  };
}

export function claimOf(over: Partial<ClaimRequest> = {}): ClaimRequest {
  return {
    workerId: 'w1',
    leaseMs: 60_000,
    jobClass: 'any',
    engine: ENGINE,
    offers: { plugins: {}, adapters: {} },
    limit: 10,
    host: ELSEWHERE,
    ...over,
  };
}

export const fenceOf = (job: Job): Fence => ({ jobId: job.id, workerId: job.workerId ?? '', attempt: job.attempt });

/** The cast joins type and payload, which a test writes side by side. */
export function eventOf<T extends EventType>(
  eventId: string,
  type: T,
  payload: Extract<RunEvent, { type: T }>['payload'],
  stepKey: string | null = null,
): RunEvent {
  return {
    eventId,
    type,
    timestamp: '2026-01-02T03:04:05.000Z',
    topologyId: 'review',
    agentId: null,
    skillId: null,
    stepKey,
    payload,
  } as unknown as RunEvent;
}

export const startedEvent = (eventId: string): RunEvent =>
  eventOf(eventId, 'run.started', {
    trigger_source: 'cli',
    topology: 'review',
    version: null,
    input_sha256: 'b'.repeat(64),
    submitted_by: 'ada',
    assurance: 'asserted',
  });

export const endedEvent = (eventId: string, status: RunEnd['status'] = 'completed'): RunEvent =>
  status === 'stopped'
    ? eventOf(eventId, 'run.parked', { waiting_on: [], error: '', status, reason: null })
    : eventOf(eventId, 'run.ended', { status, reason: null, error: null });

export const stopEvent = (eventId: string): RunEvent =>
  eventOf(eventId, 'run.stopped', { requested_by: 'ada', at: '2026-01-02T03:04:05.000Z' });

export const resumedEvent = (eventId: string): RunEvent =>
  eventOf(eventId, 'run.resumed', { requested_by: 'ada', from_status: 'stopped' });

export const messageEvent = (eventId: string, text: string, stepKey: string | null = null): RunEvent =>
  eventOf(eventId, 'executor.message', { role: 'assistant', text }, stepKey);

export function stepOf(jobId: string, key: string, over: Partial<StepRow> = {}): StepRow {
  return {
    jobId,
    key,
    kind: 'model',
    identity: 'c'.repeat(64),
    effects: 'read',
    onInDoubt: 'repeat',
    attempt: 1,
    stepId: `step-${key}`,
    outcome: null,
    notes: {},
    usage: null,
    units: 1,
    agentId: 'root',
    startedAt: '2026-01-02T03:04:06.000Z',
    endedAt: null,
    ...over,
  };
}

export const startWrite = (row: StepRow, events: readonly RunEvent[] = []): RunWrite => ({
  op: 'step.started',
  row,
  events,
});

export const noteWrite = (key: string, notes: StepRow['notes'], events: readonly RunEvent[] = []): RunWrite => ({
  op: 'step.noted',
  key,
  notes,
  events,
});

export const endWrite = (key: string, outcome: StepOutcome, events: readonly RunEvent[] = []): RunWrite => ({
  op: 'step.ended',
  key,
  outcome,
  usage: { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0.25 },
  units: 1,
  endedAt: '2026-01-02T03:04:07.000Z',
  events,
});

export const runEnd = (over: Partial<RunEnd> = {}): RunEnd => ({
  status: 'completed',
  reason: null,
  error: null,
  output: 'done',
  usage: null,
  diffs: null,
  endedAt: '2026-01-02T03:04:08.000Z',
  ...over,
});

export const runEndWrite = (
  events: readonly RunEvent[],
  over: Partial<RunEnd> = {},
): Extract<RunWrite, { op: 'run.ended' }> => ({
  op: 'run.ended',
  end: runEnd(over),
  events,
});
