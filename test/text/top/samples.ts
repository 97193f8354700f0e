import type { Job } from '../../../src/domain/job.js';
import type { QueueStats } from '../../../src/domain/ports/serving.js';
import type { FleetOverview, RunningRun, WaitingItem } from '../../../src/view/fleet-overview.js';
import { EMPTY_RUN, NO_CALLS, type RunView } from '../../../src/view/run-view.js';
import { NO_USAGE } from '../../../src/view/usage-view.js';
import { seenOf } from '../../support/fleet-samples.js';
import { jobOf } from '../../support/view-samples.js';

export const QUEUE: QueueStats = {
  queued: 0,
  running: 0,
  outages: { jobs: 0, nextAt: null },
  oldestQueuedAgeMs: null,
  queueWaitP50Ms: null,
  queueWaitP95Ms: null,
  executionP50Ms: null,
  executionP95Ms: null,
  depthByTopology: {},
  sampleSize: 0,
  blocked: [],
};

/** A run in which `writer` asks its model, below `boss`, which waits. */
export function runOf(over: Partial<Pick<Job, 'id' | 'topology' | 'workerId'>> = {}, agentId = 'writer'): RunningRun {
  const agent = (
    name: string,
    parent: string | null,
    current: RunView['agents'][string]['current'],
  ): RunView['agents'][string] => ({
    activation: name,
    agentId: name,
    parent,
    role: '',
    executor: 'model',
    status: 'running',
    reason: null,
    current,
    startedSeq: 1,
    startedAt: '2026-01-02T03:00:00.000Z',
    endedAt: null,
    durationMs: null,
    usage: NO_USAGE,
    calls: NO_CALLS,
    outcome: null,
    recentCalls: [],
    trail: [],
    runningChildren: 0,
  });
  const job = jobOf({
    id: 'aaaabbbbcccc',
    topology: 'review',
    version: '1.0.0',
    workerId: 'host-1:42:ffffffff',
    ...over,
  });
  const view: RunView = {
    ...EMPTY_RUN,
    agents: {
      boss: agent('boss', null, { kind: 'delegating', label: agentId }),
      [agentId]: agent(agentId, 'boss', { kind: 'thinking', label: '' }),
    },
    order: ['boss', agentId],
    usage: { ...NO_USAGE, inputTokens: 100, outputTokens: 10, knownCostUsd: 0.25 },
  };
  return { job, view, elapsedMs: 65_000 };
}

export const itemOf = (over: Partial<WaitingItem> = {}): WaitingItem => ({
  id: 'mpa-aaaabbbbcccc:writer-0-qa',
  gateId: 'aaaabbbbcccc:writer',
  role: 'qa',
  kind: 'role_task',
  jobId: 'aaaabbbbcccc',
  topology: 'review',
  ageMs: 7_200_000,
  ...over,
});

export const overviewOf = (over: Partial<FleetOverview> = {}): FleetOverview => ({
  at: '2026-01-02T03:04:05.000Z',
  storeAheadMs: 0,
  queue: QUEUE,
  members: { rows: [seenOf()], total: 1 },
  runs: { rows: [], total: 0 },
  waiting: { rows: [], total: 0 },
  ...over,
});
