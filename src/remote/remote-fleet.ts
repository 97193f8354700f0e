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
    const fields = fieldsOf(await client.read(client.http.GET('/fleet', { params: { query: { limit } } })));
    const members = objectsAt(fields, 'members').map(memberOf);
    return {
      at: textAt(fields, 'at'),
      storeAheadMs: msAt(fields, 'store_ahead_seconds'),
      queue: queueOf(fieldsOf(fields.queue)),
      members: fields.members === null ? null : { rows: members, total: numberAt(fields, 'members_total') },
      runs: { rows: objectsAt(fields, 'runs').map(runOf), total: numberAt(fields, 'runs_total') },
      waiting: { rows: objectsAt(fields, 'waiting').map(waitingOf), total: numberAt(fields, 'waiting_total') },
    } satisfies FleetOverview;
  },
});

const msAt = (fields: Fields, name: string): number => Math.round(numberAt(fields, name) * 1000);

function maybeMsAt(fields: Fields, name: string): number | null {
  const seconds = maybeNumberAt(fields, name);
  return seconds === null ? null : Math.round(seconds * 1000);
}

const queueOf = (fields: Fields): QueueStats => ({
  queued: numberAt(fields, 'queued'),
  running: numberAt(fields, 'running'),
  outages: { jobs: numberAt(fields, 'waiting_for_outage'), nextAt: maybeTextAt(fields, 'next_outage_look_at') },
  oldestQueuedAgeMs: maybeMsAt(fields, 'oldest_queued_age_seconds'),
  queueWaitP50Ms: maybeMsAt(fields, 'queue_wait_p50_seconds'),
  queueWaitP95Ms: maybeMsAt(fields, 'queue_wait_p95_seconds'),
  executionP50Ms: maybeMsAt(fields, 'execution_p50_seconds'),
  executionP95Ms: maybeMsAt(fields, 'execution_p95_seconds'),
  depthByTopology: Object.fromEntries(
    Object.entries(fieldsOf(fields.depth_by_topology)).flatMap(([name, depth]) =>
      typeof depth === 'number' ? [[name, depth]] : [],
    ),
  ),
  sampleSize: numberAt(fields, 'sample_size'),
  blocked:
    fields.blocked === null
      ? null
      : objectsAt(fields, 'blocked').map((one) => ({
          jobs: numberAt(one, 'jobs'),
          jobClass: one.job_class === 'harness' ? 'harness' : 'model',
          engine: numberAt(one, 'engine'),
          missing: textsAt(one, 'missing'),
          example: textAt(one, 'example'),
        })),
});

function memberOf(fields: Fields): SeenMember {
  const offers = fieldsOf(fields.offers);
  const workspace = maybeTextAt(offers, 'workspace');
  return {
    id: textAt(fields, 'id'),
    kind: textAt(fields, 'kind') as SeenMember['kind'],
    hostname: textAt(fields, 'hostname'),
    pid: numberAt(fields, 'pid'),
    version: textAt(fields, 'version'),
    engine: numberAt(fields, 'engine'),
    jobClass: textAt(fields, 'job_class') as SeenMember['jobClass'],
    concurrency: numberAt(fields, 'concurrency'),
    active: numberAt(fields, 'active'),
    offers: {
      plugins: textMapAt(offers, 'plugins'),
      adapters: textMapAt(offers, 'adapters'),
      ...(workspace === null ? {} : { workspace }),
    },
    startedAt: textAt(fields, 'started_at'),
    beatAt: textAt(fields, 'beat_at'),
    silentMs: msAt(fields, 'silent_seconds'),
    isAlive: isTrueAt(fields, 'alive'),
  };
}

/** A run with the agent that is at work and nothing else of its view: more is not told of it. */
function runOf(fields: Fields): RunningRun {
  const usage = fieldsOf(fields.usage);
  const cost = maybeNumberAt(usage, 'cost_usd');
  const agentId = maybeTextAt(fields, 'agent_id');
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
      objectsAt(fields, 'waits').map((wait, at) => [
        String(at),
        {
          agentId: maybeTextAt(wait, 'agent_id'),
          reason: textAt(wait, 'reason'),
          tries: 1,
          until: maybeTextAt(wait, 'until'),
        },
      ]),
    ),
    ...(agentId === null ? {} : { order: [agentId], agents: { [agentId]: agentOf(agentId, fields) } }),
  };
  return { job: fromWireJob(fields), view, elapsedMs: msAt(fields, 'elapsed_seconds') };
}

function agentOf(agentId: string, fields: Fields): AgentView {
  const kind = maybeTextAt(fields, 'activity');
  return {
    activation: agentId,
    agentId,
    parent: null,
    role: '',
    executor: 'model',
    status: 'running',
    reason: null,
    current:
      kind === null ? null : { kind: kind as Current['kind'], label: maybeTextAt(fields, 'activity_label') ?? '' },
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

const waitingOf = (fields: Fields): WaitingItem => ({
  id: textAt(fields, 'id'),
  gateId: maybeTextAt(fields, 'gate_id'),
  role: maybeTextAt(fields, 'role'),
  kind: textAt(fields, 'kind'),
  jobId: textAt(fields, 'job_id'),
  topology: textAt(fields, 'topology'),
  ageMs: msAt(fields, 'age_seconds'),
});
