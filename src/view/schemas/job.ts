// What `toWireJob` makes, and what the routes of runs answer.
import { JOB_STATUSES, type Job, type JobSource } from '../../domain/job.js';
import { fromWire, toWire } from './codec.js';
import {
  arrayOf,
  BOOLEAN,
  COUNT,
  closed,
  described,
  held,
  INTEGER,
  NUMBER,
  nullable,
  objectOrNull,
  oneOf,
  recordOf,
  type Schema,
  STRING,
  STRINGS,
  TEXT_OR_NULL,
  TIME_OR_NULL,
  TIMESTAMP,
  TRUE,
  type TypeOf,
} from './words.js';

const COUNT_OR_NULL = nullable(COUNT);
const COST_OR_NULL = described(nullable({ ...NUMBER, minimum: 0 }), 'USD; null = not known, 0 = free.');
export const JOB_STATUS = oneOf(JOB_STATUSES);

const USAGE = closed(
  {
    input_tokens: INTEGER,
    output_tokens: INTEGER,
    cost_usd: COST_OR_NULL,
    estimated: described(
      TRUE,
      'Part of it is an estimate: an attempt was billed, and nobody counted it. Absent: none is.',
    ),
  },
  ['estimated'],
);

const ATTACHMENT = closed({
  name: STRING,
  media_type: oneOf(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  size_bytes: INTEGER,
  sha256: STRING,
  path: held('sourcePath', described(TEXT_OR_NULL, 'In the workspace; null = the caller sent the bytes.')),
  handling: oneOf(['preprocess', 'native']),
});

const SUBMITTED_BY = closed({ identity: STRING, assurance: oneOf(['authenticated', 'asserted', 'system']) });

const FIELDS = {
  id: described(STRING, 'Twelve lower-case hex characters.'),
  job_id: described(STRING, 'The same as `id`.'),
  status: JOB_STATUS,
  topology: STRING,
  version: TEXT_OR_NULL,
  reason: described(TEXT_OR_NULL, 'Machine-readable, of a failed, stopped or deferred job.'),
  error: described(TEXT_OR_NULL, 'For people; names the gate of a deferred job.'),
  input: described(STRING, 'What was asked: text, or the JSON text of a structured input.'),
  output: TEXT_OR_NULL,
  usage: objectOrNull(USAGE),
  usage_input_tokens: COUNT_OR_NULL,
  usage_output_tokens: COUNT_OR_NULL,
  usage_cost_usd: COST_OR_NULL,
  diff_length: described(nullable(INTEGER), 'Characters of all diffs; null = no harness ran.'),
  source: described(STRING as Schema<JobSource>, 'cli, serve, chat, a2a, mcp, agent or trigger:<id>.'),
  correlation_id: TEXT_OR_NULL,
  labels: described(recordOf(STRING), 'Never interpreted, but for `priority`.'),
  parent_job_id: described(
    TEXT_OR_NULL,
    'The job that this one goes on from: a fork its source, any other the job it replaces (`supersedes`).',
  ),
  caller_job_id: described(
    TEXT_OR_NULL,
    'The job whose agent asked for this one (`source` is agent), and waits for it.',
  ),
  replay: described(TEXT_OR_NULL, 'Digest of the cassette that answered the run; null = it was not a replay.'),
  submitted_by: SUBMITTED_BY,
  worker_id: TEXT_OR_NULL,
  lease_until: TIME_OR_NULL,
  attempt: described(INTEGER, 'Claims so far.'),
  job_class: oneOf(['model', 'harness']),
  priority: INTEGER,
  waiting_on: described(STRINGS, 'Gates that a deferred job waits for.'),
  ungated: described(STRINGS, 'Gates that nobody could be asked about: the run went on unreviewed.'),
  created_at: TIMESTAMP,
  claimed_at: TIME_OR_NULL,
  started_at: TIME_OR_NULL,
  parked_at: TIME_OR_NULL,
  completed_at: TIME_OR_NULL,
  stop_requested_at: TIME_OR_NULL,
  executed_ms: described(INTEGER, 'Execution alone, without queue and parked time.'),
  attachments: arrayOf(ATTACHMENT),
};

/** A job with everything that is known of it. */
export const JOB = described(closed(FIELDS), 'A job.');
export type WireJob = TypeOf<typeof JOB>;

/** A job in a list; `input` and `output` only where they were asked for. */
export const JOB_SUMMARY = described(closed(FIELDS, ['input', 'output']), 'A job.');
export type WireJobSummary = TypeOf<typeof JOB_SUMMARY>;

const SUBMITTED_FIELDS = {
  ...FIELDS,
  author_notice: described(TEXT_OR_NULL, 'Set when a gate excludes the author and nobody knows who that is.'),
  warnings: described(
    STRINGS,
    'Keys that the run uses without an effect yet, and what of the request counts otherwise.',
  ),
};

/** The answer to a submit: the record, and what a person should know of the run. */
export const SUBMITTED_JOB = described(
  closed(SUBMITTED_FIELDS),
  'The job; it is `pending`, with the role `api` `queued`, or as it is now where the key was used before.',
);

/** What a run used, as `toWireUsage` makes it. */
export const RUN_USAGE = closed(
  {
    input_tokens: INTEGER,
    output_tokens: INTEGER,
    cached_input_tokens: INTEGER,
    reasoning_tokens: INTEGER,
    cost_usd: described(nullable(NUMBER), 'USD; null = part of it is unknown.'),
    known_cost_usd: described(NUMBER, 'USD; the sum of what is known.'),
    unknown_costs: described(INTEGER, 'Calls whose cost nobody knows.'),
    saved_usd: described(NUMBER, 'What caches of providers took off the cost. Absent: nothing that is known.'),
  },
  ['saved_usd'],
);
export type WireRunUsage = TypeOf<typeof RUN_USAGE>;

/** A run in a list: what its events add up to. */
export const RUN_FIGURES = closed({
  wall_ms: described(nullable(NUMBER), 'From the first claim to the end, or until now.'),
  agents: described(INTEGER, 'Activations.'),
  model_calls: INTEGER,
  tool_calls: INTEGER,
  issues: described(
    INTEGER,
    'Failed and denied calls, agents that did not end well, gates that nobody was asked about.',
  ),
  outage: described(TEXT_OR_NULL, 'What the run waits for that is down, in words.'),
  usage: RUN_USAGE,
});
export type WireRunFigures = TypeOf<typeof RUN_FIGURES>;

/** Jobs, newest first. */
export const JOB_LIST = described(
  arrayOf(
    described(
      closed(
        {
          ...FIELDS,
          view: described(
            RUN_FIGURES,
            'With `view=1`: `wall_ms`, `agents`, `model_calls`, `tool_calls`, `issues`, `outage`, `usage`.',
          ),
        },
        ['input', 'output', 'view'],
      ),
      'A job.',
    ),
  ),
  'Newest first.',
);

export const STOP_REPORT = described(
  closed({
    job_id: STRING,
    status: JOB_STATUS,
    stop_requested_at: TIME_OR_NULL,
    already_requested: BOOLEAN,
    detail: STRING,
  }),
  'What came of the request.',
);

export const RETRY_REPORT = described(
  closed({
    job_id: STRING,
    status: JOB_STATUS,
    already_retried: described(BOOLEAN, 'The job was made by an earlier retry, and is told as it is now.'),
    asked_anew: described(STRINGS, 'Steps of gates and questions that people decide once more.'),
  }),
  'The job that goes on from the failed one.',
);

/**
 * A job as CLI and HTTP show it (docs/design/decisions.md#wire): `id` and `job_id`, flat and nested
 * usage, unknown cost as null.
 */
export function toWireJob(job: Job): WireJob {
  const { usage } = job;
  return toWire(JOB, {
    ...job,
    jobId: job.id,
    usageInputTokens: usage?.inputTokens ?? null,
    usageOutputTokens: usage?.outputTokens ?? null,
    usageCostUsd: usage?.costUsd ?? null,
    // Digest of the cassette that answered the run: nothing was called, and nobody paid for its
    // usage. null = no replay.
    replay: job.needs.cassette ?? null,
  });
}

/**
 * A job in a list: everything but what was asked and what came of it, which may be long
 * (docs/design/decisions.md#wire).
 */
export function toWireJobSummary(job: Job): WireJobSummary {
  const { input: _, output: __, ...summary } = toWireJob(job);
  return summary;
}

/**
 * A job out of what `toWireJob` makes, as a server of any version tells it. What the wire does not
 * have is what nobody shows of a job elsewhere.
 */
export function fromWireJob(value: unknown): Job {
  const { replay, usage, ...job } = fromWire(JOB, value);
  return {
    ...job,
    usage: usage === null ? null : { ...usage, cachedInputTokens: 0, reasoningTokens: 0 },
    needs: { plugins: {}, adapters: {}, ...(replay === null ? {} : { cassette: replay }) },
    ...NOT_ON_THE_WIRE,
  };
}

/** What concerns the store and its workers alone. */
const NOT_ON_THE_WIRE = {
  earlier: [],
  crashes: 0,
  engine: 0,
  snapshot: '',
  recover: 'auto',
  wakeAt: null,
  stopRequestedBy: null,
  timeoutMs: null,
  traceParent: null,
} as const;
