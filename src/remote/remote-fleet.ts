import type { FleetApp } from '../app/fleet/fleet-app.js';
import type { SeenMember } from '../domain/ports/fleet.js';
import type { QueueStats } from '../domain/ports/serving.js';
import {
  type Fields,
  fieldsOf,
  isTrueAt,
  maybeNumberAt,
  maybeTextAt,
  numberAt,
  objectsAt,
  textAt,
  textMapAt,
  textsAt,
} from '../lib/read-json.js';
import type { FleetOverview, RunningRun, WaitingItem } from '../view/fleet-overview.js';
import { fromWireJob } from '../view/from-wire-job.js';
import { type AgentView, type Current, EMPTY_RUN, type RunView } from '../view/run-view.js';
import { NO_USAGE } from '../view/usage-view.js';
import type { RemoteContext } from './remote-context.js';

/**
 * What works and what waits at a server: the page of `kit top`, out of what `toWireFleet` makes.
 */
export const remoteFleet = ({ client }: RemoteContext): Pick<FleetApp, 'overview'> => ({
  overview: async ({ limit }) => {
    const told = fieldsOf(await client.read(client.http.GET('/fleet', { params: { query: { limit } } })));
    const members = objectsAt(told, 'members').map(memberOf);
    return {
      at: textAt(told, 'at'),
      storeAheadMs: msAt(told, 'store_ahead_seconds'),
      queue: queueOf(fieldsOf(told.queue)),
      members: told.members === null ? null : { rows: members, total: numberAt(told, 'members_total') },
      runs: { rows: objectsAt(told, 'runs').map(runOf), total: numberAt(told, 'runs_total') },
      waiting: { rows: objectsAt(told, 'waiting').map(waitingOf), total: numberAt(told, 'waiting_total') },
    } satisfies FleetOverview;
  },
});

const msAt = (told: Fields, name: string): number => Math.round(numberAt(told, name) * 1000);

function maybeMsAt(told: Fields, name: string): number | null {
  const seconds = maybeNumberAt(told, name);
  return seconds === null ? null : Math.round(seconds * 1000);
}

const queueOf = (told: Fields): QueueStats => ({
  queued: numberAt(told, 'queued'),
  running: numberAt(told, 'running'),
  outages: { jobs: numberAt(told, 'waiting_for_outage'), nextAt: maybeTextAt(told, 'next_outage_look_at') },
  oldestQueuedAgeMs: maybeMsAt(told, 'oldest_queued_age_seconds'),
  queueWaitP50Ms: maybeMsAt(told, 'queue_wait_p50_seconds'),
  queueWaitP95Ms: maybeMsAt(told, 'queue_wait_p95_seconds'),
  executionP50Ms: maybeMsAt(told, 'execution_p50_seconds'),
  executionP95Ms: maybeMsAt(told, 'execution_p95_seconds'),
  depthByTopology: Object.fromEntries(
    Object.entries(fieldsOf(told.depth_by_topology)).flatMap(([name, depth]) =>
      typeof depth === 'number' ? [[name, depth]] : [],
    ),
  ),
  sampleSize: numberAt(told, 'sample_size'),
  blocked:
    told.blocked === null
      ? null
      : objectsAt(told, 'blocked').map((one) => ({
          jobs: numberAt(one, 'jobs'),
          jobClass: one.job_class === 'harness' ? 'harness' : 'model',
          engine: numberAt(one, 'engine'),
          missing: textsAt(one, 'missing'),
          example: textAt(one, 'example'),
        })),
});

function memberOf(told: Fields): SeenMember {
  const offers = fieldsOf(told.offers);
  const workspace = maybeTextAt(offers, 'workspace');
  return {
    id: textAt(told, 'id'),
    kind: textAt(told, 'kind') as SeenMember['kind'],
    hostname: textAt(told, 'hostname'),
    pid: numberAt(told, 'pid'),
    version: textAt(told, 'version'),
    engine: numberAt(told, 'engine'),
    jobClass: textAt(told, 'job_class') as SeenMember['jobClass'],
    concurrency: numberAt(told, 'concurrency'),
    active: numberAt(told, 'active'),
    offers: {
      plugins: textMapAt(offers, 'plugins'),
      adapters: textMapAt(offers, 'adapters'),
      ...(workspace === null ? {} : { workspace }),
    },
    startedAt: textAt(told, 'started_at'),
    beatAt: textAt(told, 'beat_at'),
    silentMs: msAt(told, 'silent_seconds'),
    isAlive: isTrueAt(told, 'alive'),
  };
}

/** A run with the agent that is at work and nothing else of its view: more is not told of it. */
function runOf(told: Fields): RunningRun {
  const usage = fieldsOf(told.usage);
  const cost = maybeNumberAt(usage, 'cost_usd');
  const agentId = maybeTextAt(told, 'agent_id');
  const view: RunView = {
    ...EMPTY_RUN,
    usage: {
      ...NO_USAGE,
      inputTokens: numberAt(usage, 'input_tokens'),
      outputTokens: numberAt(usage, 'output_tokens'),
      knownCostUsd: cost ?? 0,
      unknownCosts: cost === null ? 1 : 0,
    },
    outages: Object.fromEntries(
      objectsAt(told, 'waits').map((wait, at) => [
        String(at),
        {
          agentId: maybeTextAt(wait, 'agent_id'),
          reason: textAt(wait, 'reason'),
          tries: 1,
          until: maybeTextAt(wait, 'until'),
        },
      ]),
    ),
    ...(agentId === null ? {} : { order: [agentId], agents: { [agentId]: agentOf(agentId, told) } }),
  };
  return { job: fromWireJob(told), view, elapsedMs: msAt(told, 'elapsed_seconds') };
}

function agentOf(agentId: string, told: Fields): AgentView {
  const kind = maybeTextAt(told, 'activity');
  return {
    activation: agentId,
    agentId,
    parent: null,
    role: '',
    executor: 'model',
    status: 'running',
    reason: null,
    current: kind === null ? null : { kind: kind as Current['kind'], label: maybeTextAt(told, 'activity_label') ?? '' },
    startedSeq: 0,
    startedAt: '',
    endedAt: null,
    durationMs: null,
    usage: NO_USAGE,
    calls: EMPTY_RUN.calls,
    outcome: null,
    recentCalls: [],
    trail: [],
    runningChildren: 0,
  };
}

const waitingOf = (told: Fields): WaitingItem => ({
  id: textAt(told, 'id'),
  gateId: maybeTextAt(told, 'gate_id'),
  role: maybeTextAt(told, 'role'),
  kind: textAt(told, 'kind'),
  jobId: textAt(told, 'job_id'),
  topology: textAt(told, 'topology'),
  ageMs: msAt(told, 'age_seconds'),
});
