// What `toWireJob` makes, and what the routes of runs answer.
import { JOB_STATUSES } from '../../domain/job.js';
import { RUN_USAGE } from './spent.js';
import {
  arrayOf,
  BOOLEAN,
  COUNT,
  closed,
  described,
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
const COST_OR_NULL: Schema<number | null> = {
  type: ['number', 'null'],
  minimum: 0,
  description: 'USD; null = not known, 0 = free.',
};
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
  path: described(TEXT_OR_NULL, 'In the workspace; null = the caller sent the bytes.'),
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
  source: described(STRING, 'cli, serve, chat, a2a, mcp, agent or trigger:<id>.'),
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
  replay: described(TEXT_OR_NULL, 'Digest of the cassette that answered the run; null = it was no replay.'),
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

const SECONDS_OR_NULL: Schema<number | null> = {
  type: ['number', 'null'],
  minimum: 0,
  description: 'Seconds; null = no sample.',
};

const BLOCKED = closed({
  jobs: INTEGER,
  job_class: STRING,
  engine: INTEGER,
  missing: described(STRINGS, 'What the process lacks that comes nearest, in words.'),
  example: described(STRING, 'Id of one of them.'),
});
const BLOCKED_OR_NULL: Schema<readonly TypeOf<typeof BLOCKED>[] | null> = {
  description:
    'Jobs that wait and that no live server or worker can claim, most jobs first; null: the fleet could not be read.',
  anyOf: [arrayOf(BLOCKED), { type: 'null' }],
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
    oldest_queued_age_seconds: SECONDS_OR_NULL,
    queue_wait_p50_seconds: SECONDS_OR_NULL,
    queue_wait_p95_seconds: SECONDS_OR_NULL,
    execution_p50_seconds: SECONDS_OR_NULL,
    execution_p95_seconds: SECONDS_OR_NULL,
    depth_by_topology: recordOf(INTEGER),
    sample_size: described(INTEGER, 'Completed runs the percentiles are of, 500 at most.'),
    blocked: BLOCKED_OR_NULL,
  }),
  'The queue now, and the times of the newest completed runs.',
);
export type WireQueueStats = TypeOf<typeof QUEUE_STATS>;

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

export const DIFFS = described(
  closed({
    job_id: STRING,
    diffs: recordOf(STRING),
    length: described(INTEGER, 'Characters of all diffs.'),
  }),
  'Unified diffs by agent.',
);
export type WireDiffs = TypeOf<typeof DIFFS>;
