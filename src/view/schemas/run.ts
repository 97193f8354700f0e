// A run, folded from its events, as `toWireRun` makes it.
import type { RunFigures } from '../../domain/run-figures.js';
import { own } from '../../lib/own.js';
import type { CompressionView } from '../compression-view.js';
import { type AgentView, type RunView, WARNING_KINDS } from '../run-view.js';
import { costOf, type UsageView } from '../usage-view.js';
import { toWire } from './codec.js';
import { WHOLE_EVENT } from './event.js';
import { ITEM_STATUS, REQUEST } from './item.js';
import { JOB, JOB_STATUS, RUN_FIGURES, RUN_USAGE, type WireRunFigures, type WireRunUsage } from './job.js';
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
  objectOrNull,
  oneOf,
  recordOf,
  STRING,
  STRINGS,
  TEXT_OR_NULL,
  TIME_OR_NULL,
  TIMESTAMP,
  type TypeOf,
} from './words.js';

const MS_OR_NULL = described(nullable(NUMBER), 'Milliseconds; null = nobody measured it.');

const CALLS = closed({
  model: INTEGER,
  tools: INTEGER,
  failed: INTEGER,
  denied: described(INTEGER, 'What the policy or kit itself refused.'),
});

const SUM_FIELDS = { calls: INTEGER, bytes_in: INTEGER, bytes_out: INTEGER };
const COMPRESSION = closed({ ...SUM_FIELDS, by_backend: recordOf(closed(SUM_FIELDS)) });

const OUTCOME = described(
  objectOrNull(closed({ passed: BOOLEAN, text: STRING })),
  'What came of the work of an executor; null = nothing was reported.',
);

const WHOLE_CALL = closed(
  {
    seq: described(INTEGER, 'Its event.'),
    kind: oneOf(['model', 'tool', 'harness-tool', 'executor']),
    name: described(STRING, '`provider/model`, the name of the tool, or `<kind>:<ref>` of an executor.'),
    status: described(
      oneOf(['ok', 'failed', 'denied', 'refused', 'seen']),
      '`seen`: a harness reported it, kit did not make it.',
    ),
    reason: TEXT_OR_NULL,
    message: held('said', described(STRING, 'What was said of a failure. Absent: nothing.')),
    ended_at: TIMESTAMP,
    duration_ms: MS_OR_NULL,
    usage: described(objectOrNull(RUN_USAGE), 'Null: a call of this kind uses no tokens of its own.'),
  },
  ['message'],
);
/**
 * What is required is written first. The members after `message` are always there, and are not
 * required, so that a call is written in the order in which `kit trace --json` writes it.
 */
const CALL: typeof WHOLE_CALL = {
  ...WHOLE_CALL,
  required: ['seq', 'kind', 'name', 'status', 'reason'],
};

const ACTIVATION = closed({
  activation: STRING,
  agent_id: STRING,
  parent: described(TEXT_OR_NULL, 'The activation that called this one; null: the root.'),
  role: STRING,
  executor: described(STRING, '`model`, `harness:<adapter>` or the executor of a plugin.'),
  status: oneOf(['running', 'ok', 'failed', 'denied']),
  reason: TEXT_OR_NULL,
  started_at: TIMESTAMP,
  ended_at: TIME_OR_NULL,
  duration_ms: MS_OR_NULL,
  usage: RUN_USAGE,
  calls: CALLS,
  outcome: OUTCOME,
  trail: described(arrayOf(CALL), 'Every call, in the order of the log.'),
});

const EXECUTOR = closed({
  activation: TEXT_OR_NULL,
  agent_id: TEXT_OR_NULL,
  ref: STRING,
  status: STRING,
  reason: TEXT_OR_NULL,
  exit_code: nullable(INTEGER),
  signal: TEXT_OR_NULL,
  stderr_tail: STRING,
  diff_bytes: INTEGER,
  duration_ms: NUMBER,
  outcome: OUTCOME,
});

const GATE_ROUND = closed({
  gate_id: STRING,
  agent_id: TEXT_OR_NULL,
  round: INTEGER,
  status: ITEM_STATUS,
  withdrawn: described(BOOLEAN, 'The run ended before anybody decided.'),
  artifact_ref: STRING,
  escalated: BOOLEAN,
  judge_score: nullable(NUMBER),
  opened_at: TIMESTAMP,
  expires_at: TIME_OR_NULL,
  decisions: arrayOf(closed({ by: STRING, role: TEXT_OR_NULL, outcome: STRING, comment: STRING })),
});

const OUTAGE = closed(
  {
    key: described(STRING, 'The step that waits.'),
    agent_id: TEXT_OR_NULL,
    reason: STRING,
    name: described(STRING, 'Id of the provider or tool server that is down. Absent: untold.'),
    tries: INTEGER,
    until: described(TIME_OR_NULL, 'When it is tried again; null: when there is room.'),
    agent: described(STRING, 'The agent elsewhere that works on it. Absent: it is none.'),
    gate_url: described(TEXT_OR_NULL, 'Where its people decide.'),
  },
  ['name', 'agent', 'gate_url'],
);

const WARNING = closed({
  seq: INTEGER,
  kind: oneOf(WARNING_KINDS),
  agent_id: TEXT_OR_NULL,
  text: STRING,
});

export const RUN = described(
  closed({
    run_id: held('jobId', described(TEXT_OR_NULL, 'Null, like the rest: no event is there yet.')),
    topology: TEXT_OR_NULL,
    version: TEXT_OR_NULL,
    submitted_by: TEXT_OR_NULL,
    status: JOB_STATUS,
    reason: TEXT_OR_NULL,
    error: TEXT_OR_NULL,
    stop_requested_by: described(TEXT_OR_NULL, 'Null: nobody asked to stop since the last resume.'),
    resumes: INTEGER,
    started_at: TIME_OR_NULL,
    ended_at: TIME_OR_NULL,
    last_seq: described(INTEGER, 'The last event that is in it.'),
    calls: CALLS,
    compression: described(COMPRESSION, 'What compression saved; bytes of results before and after.'),
    usage: RUN_USAGE,
    usage_by_agent: recordOf(RUN_USAGE),
    usage_by_model: described(recordOf(RUN_USAGE), 'By `provider/model`, and by `<kind>:<ref>` of executors.'),
    agents: described(arrayOf(ACTIVATION), 'In the order in which they began.'),
    executors: arrayOf(EXECUTOR),
    attachments: arrayOf(closed({ name: STRING, media_type: STRING, size_bytes: INTEGER })),
    gates: arrayOf(GATE_ROUND),
    waiting_on: described(STRINGS, 'Gates and items while the run is parked.'),
    outages: described(arrayOf(OUTAGE), 'What is down that steps wait for.'),
    ungated: described(STRINGS, 'Gates that nobody could be asked about.'),
    warnings: arrayOf(WARNING),
  }),
  'Its events, folded: activations with every call, usage, gates, warnings, as `kit trace --json`.',
);
export type WireRun = TypeOf<typeof RUN>;

/** `GET /jobs/{id}/view`. */
export const RUN_VIEW = closed({
  job: JOB,
  line: described(STRINGS, 'The run and those it took the place of.'),
  wall_ms: described(nullable(NUMBER), 'From the first claim to the end, or until now.'),
  trace: RUN,
});
export type WireRunView = TypeOf<typeof RUN_VIEW>;

/** `GET /jobs/{id}/report`. */
export const RUN_REPORT = closed({
  job: JOB,
  line: STRINGS,
  wall_ms: nullable(NUMBER),
  request: described(REQUEST, 'What is asked, as items have it, with the whole input.'),
  events: arrayOf(WHOLE_EVENT),
  events_left_out: INTEGER,
  diffs: objectOrNull(recordOf(STRING)),
});
export type WireRunReport = TypeOf<typeof RUN_REPORT>;

interface Summed {
  readonly figures: RunFigures;
  readonly outage: string | null;
  readonly wallMs: number | null;
}

/**
 * A folded run as CLI and HTTP show it: snake_case, activations in the order in which they began,
 * unknown cost as null.
 */
export const toWireRun = (view: RunView): WireRun =>
  toWire(RUN, {
    ...view,
    usage: shownUsage(view.usage),
    usageByAgent: mapValues(view.usageByAgent, shownUsage),
    usageByModel: mapValues(view.usageByModel, shownUsage),
    agents: view.order.flatMap((key) => own(view.agents, key) ?? []).map(shownAgent),
    gates: Object.values(view.gates),
    outages: Object.entries(view.outages).map(([key, { remote, ...outage }]) => ({ ...outage, ...remote, key })),
  });

/**
 * Tokens and cost: `cost_usd` is null as soon as one part of it is unknown, `known_cost_usd` is
 * what is known.
 */
export const toWireUsage = (usage: UsageView): WireRunUsage => toWire(RUN_USAGE, shownUsage(usage));

/** A run in a list: what its events add up to. */
export const toWireFigures = ({ figures, outage, wallMs }: Summed): WireRunFigures =>
  toWire(RUN_FIGURES, { ...figures, outage, wallMs, usage: shownUsage(figures.usage) });

const shownUsage = (usage: UsageView): HeldOf<typeof RUN_USAGE> => ({ ...usage, costUsd: costOf(usage) });

const shownAgent = (agent: AgentView) => ({
  ...agent,
  usage: shownUsage(agent.usage),
  trail: agent.trail.map((call) => ({ ...call, usage: call.usage === null ? null : shownUsage(call.usage) })),
});

const mapValues = <T, V>(record: Readonly<Record<string, T>>, value: (one: T) => V): Readonly<Record<string, V>> =>
  Object.fromEntries(Object.entries(record).map(([key, one]) => [key, value(one)]));

/** What compression saved, as CLI and HTTP show it. */
export const toWireCompression = (view: CompressionView): WireRun['compression'] => toWire(COMPRESSION, view);
