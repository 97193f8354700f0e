// A database of runs at one moment, as `toWireFleet` makes it; times in seconds.
import type { JobClass } from '../../domain/job.js';
import type { SeenMember } from '../../domain/ports/fleet.js';
import type { QueueStats } from '../../domain/ports/serving.js';
import { busyAgent, type FleetOverview, type RunningRun } from '../fleet-overview.js';
import type { Current } from '../run-view.js';
import { costOf } from '../usage-view.js';
import { toWire } from './codec.js';
import {
  arrayOf,
  BOOLEAN,
  closed,
  described,
  type HeldOf,
  held,
  INTEGER,
  NUMBER,
  nullable,
  oneOf,
  recordOf,
  type Schema,
  STRING,
  STRINGS,
  TEXT_OR_NULL,
  TIME_OR_NULL,
  TIMESTAMP,
  type TypeOf,
} from './words.js';

/** Held in milliseconds. */
const inSeconds = <const N extends string>(name: N) =>
  held(name, described(nullable({ ...NUMBER, minimum: 0 }), 'Seconds; null = no sample.'), 1000);

const BLOCKED = closed({
  jobs: INTEGER,
  job_class: STRING as Schema<JobClass>,
  engine: INTEGER,
  missing: described(STRINGS, 'What the process lacks that comes nearest, in words.'),
  example: described(STRING, 'Id of one of them.'),
});
const BLOCKED_LIST = arrayOf(BLOCKED);
const BLOCKED_OR_NULL: Schema<TypeOf<typeof BLOCKED_LIST> | null, HeldOf<typeof BLOCKED_LIST> | null> = {
  description:
    'Jobs that wait and that no live server or worker can claim, most jobs first; null: the fleet could not be read.',
  anyOf: [BLOCKED_LIST, { type: 'null' }],
};

/** How the queue does. */
export const QUEUE_STATS = described(
  closed({
    queued: INTEGER,
    running: INTEGER,
    waiting_for_outage: described(
      INTEGER,
      'Jobs without a worker until a provider or a server of tools that is down may be up again.',
    ),
    next_outage_look_at: TIME_OR_NULL,
    oldest_queued_age_seconds: inSeconds('oldestQueuedAgeMs'),
    queue_wait_p50_seconds: inSeconds('queueWaitP50Ms'),
    queue_wait_p95_seconds: inSeconds('queueWaitP95Ms'),
    execution_p50_seconds: inSeconds('executionP50Ms'),
    execution_p95_seconds: inSeconds('executionP95Ms'),
    depth_by_topology: recordOf(INTEGER),
    sample_size: described(INTEGER, 'Completed runs the percentiles are of, 500 at most.'),
    blocked: BLOCKED_OR_NULL,
  }),
  'The queue now, and the times of the newest completed runs.',
);
export type WireQueueStats = TypeOf<typeof QUEUE_STATS>;

/** How the queue does (docs/design/decisions.md#wire); times in seconds, null without a sample. */
export const toWireQueueStats = (stats: QueueStats): WireQueueStats => toWire(QUEUE_STATS, heldQueueStats(stats));

/** How the queue does, as its answer is made of it. */
export const heldQueueStats = (stats: QueueStats): HeldOf<typeof QUEUE_STATS> => ({
  ...stats,
  waitingForOutage: stats.outages.jobs,
  nextOutageLookAt: stats.outages.nextAt,
});

const MEMBER = closed({
  id: described(STRING, '`<host>:<pid>:<random>`, as worker ids are.'),
  kind: described(
    oneOf(['server', 'api', 'worker']),
    '`server` accepts and executes, `api` accepts only, `worker` executes only.',
  ),
  hostname: STRING,
  pid: INTEGER,
  version: STRING,
  engine: described(INTEGER, 'Journals that it can go on from.'),
  job_class: oneOf(['model', 'harness', 'any']),
  concurrency: described(INTEGER, 'Runs that it executes at once; 0: it claims none.'),
  active: INTEGER,
  offers: closed({
    plugins: described(recordOf(STRING), 'Name -> version.'),
    adapters: described(recordOf(STRING), 'Id -> digest of what it launches.'),
    workspace: TEXT_OR_NULL,
  }),
  started_at: described(TIMESTAMP, "By the process's own clock."),
  beat_at: described(TIMESTAMP, "By the store's clock."),
  silent_seconds: held('silentMs', NUMBER, 1000),
  alive: held('isAlive', BOOLEAN),
});

export const FLEET_RUN = closed({
  id: STRING,
  topology: STRING,
  version: TEXT_OR_NULL,
  agent_id: described(TEXT_OR_NULL, 'The agent that does something now.'),
  activity: described(
    TEXT_OR_NULL as Schema<Current['kind'] | null>,
    '`thinking`, `tools`, `delegating`, `harness`, `correcting`.',
  ),
  activity_label: described(TEXT_OR_NULL, "Tool, child or adapter; '' = it has no name."),
  waits: described(
    arrayOf(closed({ agent_id: TEXT_OR_NULL, reason: STRING, until: nullable(TIMESTAMP) })),
    'Steps that wait for a provider or a server: the first of them.',
  ),
  waits_total: INTEGER,
  elapsed_seconds: held('elapsedMs', NUMBER, 1000),
  usage: closed({
    input_tokens: INTEGER,
    output_tokens: INTEGER,
    cost_usd: described(nullable(NUMBER), 'USD; null = part of it is unknown.'),
  }),
  worker_id: TEXT_OR_NULL,
  started_at: nullable(TIMESTAMP),
});

const WAITING = closed({
  id: STRING,
  kind: STRING,
  gate_id: TEXT_OR_NULL,
  role: described(TEXT_OR_NULL, 'Who may decide; null: whoever may decide at all.'),
  job_id: STRING,
  topology: STRING,
  age_seconds: held('ageMs', NUMBER, 1000),
});

/** `GET /fleet`. */
export const FLEET = closed({
  at: TIMESTAMP,
  store_ahead_seconds: held(
    'storeAheadMs',
    described(NUMBER, "How far the store's clock is ahead of this process's."),
    1000,
  ),
  queue: QUEUE_STATS,
  members: described(nullable(arrayOf(MEMBER)), 'The living first; null: they could not be read.'),
  members_total: nullable(INTEGER),
  runs: described(arrayOf(FLEET_RUN), 'What runs now.'),
  runs_total: INTEGER,
  waiting: described(arrayOf(WAITING), 'What people have to decide.'),
  waiting_total: INTEGER,
});
export type WireFleet = TypeOf<typeof FLEET>;

/** A database of runs at one moment, as `kit top --json` shows it; times in seconds. */
export const toWireFleet = ({ queue, members, runs, waiting, ...at }: FleetOverview): WireFleet =>
  toWire(FLEET, {
    ...at,
    queue: heldQueueStats(queue),
    members: members?.rows.map(shownMember) ?? null,
    membersTotal: members?.total ?? null,
    runs: runs.rows.map(shownRun),
    runsTotal: runs.total,
    waiting: waiting.rows,
    waitingTotal: waiting.total,
  });

const shownMember = (member: SeenMember) => ({
  ...member,
  offers: { ...member.offers, workspace: member.offers.workspace ?? null },
});

/** Of the steps of a run that wait for a provider or a server, as many are told of. */
const MOST_WAITS = 10;

function shownRun({ job, view, elapsedMs }: RunningRun): HeldOf<typeof FLEET_RUN> {
  const agent = busyAgent(view);
  const waits = Object.values(view.outages);
  return {
    ...job,
    agentId: agent?.agentId ?? null,
    activity: agent?.current?.kind ?? null,
    activityLabel: agent?.current?.label ?? null,
    waits: waits.slice(0, MOST_WAITS),
    waitsTotal: waits.length,
    elapsedMs,
    usage: { ...view.usage, costUsd: costOf(view.usage) },
  };
}
