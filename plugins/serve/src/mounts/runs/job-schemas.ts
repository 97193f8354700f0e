const text = { type: 'string' } as const;
const textOrNull = { type: ['string', 'null'] } as const;
const timeOrNull = { type: ['string', 'null'], format: 'date-time' } as const;
const countOrNull = { type: ['integer', 'null'], minimum: 0 } as const;
const costOrNull = { type: ['number', 'null'], minimum: 0, description: 'USD; null = not known, 0 = free.' } as const;
const STATUSES = ['pending', 'queued', 'running', 'deferred', 'completed', 'failed', 'stopped'] as const;
const labels = { type: 'object', additionalProperties: { type: 'string' }, description: 'Never interpreted, but for `priority`.' } as const;

const usage = {
  usage: {
    type: ['object', 'null'],
    additionalProperties: false,
    required: ['input_tokens', 'output_tokens', 'cost_usd'],
    properties: { input_tokens: { type: 'integer' }, output_tokens: { type: 'integer' }, cost_usd: costOrNull },
  },
  usage_input_tokens: countOrNull,
  usage_output_tokens: countOrNull,
  usage_cost_usd: costOrNull,
} as const;

const identity = {
  id: { type: 'string', description: 'Twelve lower-case hex characters.' },
  job_id: { type: 'string', description: 'The same as `id`.' },
  status: { type: 'string', enum: STATUSES },
  topology: text,
  version: textOrNull,
  reason: { type: ['string', 'null'], description: 'Machine-readable, of a failed, stopped or deferred job.' },
  error: { type: ['string', 'null'], description: 'For people; names the gate of a deferred job.' },
} as const;

const origin = {
  source: { type: 'string', description: 'cli, serve, chat, a2a, mcp, agent or trigger:<id>.' },
  correlation_id: textOrNull,
  labels,
  parent_job_id: { type: ['string', 'null'], description: 'The job that this one replaces (`supersedes`).' },
} as const;

const queue = { job_class: { type: 'string', enum: ['model', 'harness'] }, priority: { type: 'integer' } } as const;

const attachment = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'media_type', 'size_bytes', 'sha256', 'path', 'handling'],
  properties: {
    name: text,
    media_type: { type: 'string', enum: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] },
    size_bytes: { type: 'integer' },
    sha256: text,
    path: { type: ['string', 'null'], description: 'In the workspace; null = the caller sent the bytes.' },
    handling: { type: 'string', enum: ['preprocess', 'native'] },
  },
} as const;

const recordProperties = {
  ...identity,
  input: { type: 'string', description: 'What was asked: text, or the JSON text of a structured input.' },
  output: textOrNull,
  ...usage,
  diff_length: { type: ['integer', 'null'], description: 'Characters of all diffs; null = no harness ran.' },
  ...origin,
  replay: { type: ['string', 'null'], description: 'Digest of the cassette that answered the run; null = it was no replay.' },
  submitted_by: {
    type: 'object',
    additionalProperties: false,
    required: ['identity', 'assurance'],
    properties: { identity: text, assurance: { type: 'string', enum: ['authenticated', 'asserted', 'system'] } },
  },
  worker_id: textOrNull,
  lease_until: timeOrNull,
  attempt: { type: 'integer', description: 'Claims so far.' },
  ...queue,
  waiting_on: { type: 'array', items: text, description: 'Gates that a deferred job waits for.' },
  created_at: { type: 'string', format: 'date-time' },
  claimed_at: timeOrNull,
  started_at: timeOrNull,
  parked_at: timeOrNull,
  completed_at: timeOrNull,
  stop_requested_at: timeOrNull,
  executed_ms: { type: 'integer', description: 'Execution alone, without queue and parked time.' },
  attachments: { type: 'array', items: attachment },
} as const;

/** A job with everything that is known of it (http-and-cli.md 1.1, JobRecord). */
export const JOB_RECORD = {
  type: 'object',
  description: 'A job.',
  additionalProperties: false,
  required: Object.keys(recordProperties),
  properties: recordProperties,
} as const;

const submittedProperties = {
  ...recordProperties,
  author_notice: { type: ['string', 'null'], description: 'Set when a gate excludes the author and nobody knows who that is.' },
  warnings: { type: 'array', items: text, description: 'Keys that the run uses without an effect yet.' },
} as const;

/** The answer to a submit: the record, and what a person should know of the run. */
export const SUBMITTED_JOB = {
  type: 'object',
  description: 'The job; it is `pending`, or as it is now where the key was used before.',
  additionalProperties: false,
  required: Object.keys(submittedProperties),
  properties: submittedProperties,
} as const;

const summaryProperties = {
  ...identity,
  ...usage,
  ...origin,
  ...queue,
  created_at: { type: 'string', format: 'date-time' },
  started_at: timeOrNull,
  parked_at: timeOrNull,
  completed_at: timeOrNull,
} as const;

/** Jobs, newest first. */
export const JOB_LIST = {
  type: 'array',
  description: 'Newest first.',
  items: { type: 'object', additionalProperties: false, required: Object.keys(summaryProperties), properties: summaryProperties },
} as const;

const secondsOrNull = { type: ['number', 'null'], minimum: 0, description: 'Seconds; null = no sample.' } as const;
const statsProperties = {
  queued: { type: 'integer' },
  running: { type: 'integer' },
  oldest_queued_age_seconds: secondsOrNull,
  queue_wait_p50_seconds: secondsOrNull,
  queue_wait_p95_seconds: secondsOrNull,
  execution_p50_seconds: secondsOrNull,
  execution_p95_seconds: secondsOrNull,
  depth_by_topology: { type: 'object', additionalProperties: { type: 'integer' } },
  sample_size: { type: 'integer', description: 'Completed runs the percentiles are of, 500 at most.' },
} as const;

/** How the queue does. */
export const QUEUE_STATS = {
  type: 'object',
  description: 'The queue now, and the times of the newest completed runs.',
  additionalProperties: false,
  required: Object.keys(statsProperties),
  properties: statsProperties,
} as const;

export const STOP_REPORT = {
  type: 'object',
  description: 'What came of the request.',
  additionalProperties: false,
  required: ['job_id', 'status', 'stop_requested_at', 'already_requested', 'detail'],
  properties: {
    job_id: text,
    status: { type: 'string', enum: STATUSES },
    stop_requested_at: timeOrNull,
    already_requested: { type: 'boolean' },
    detail: text,
  },
} as const;

export const DIFFS = {
  type: 'object',
  description: 'Unified diffs by agent.',
  additionalProperties: false,
  required: ['job_id', 'diffs', 'length'],
  properties: {
    job_id: text,
    diffs: { type: 'object', additionalProperties: text },
    length: { type: 'integer', description: 'Characters of all diffs.' },
  },
} as const;

/** A job in the path. */
export const JOB_PARAMS = { type: 'object', required: ['id'], properties: { id: text } } as const;

const STATUS_LIST = `^(${STATUSES.join('|')})(,(${STATUSES.join('|')}))*$`;

/** Filters of a list (gaps B8). */
export const LIST_QUERY = {
  type: 'object',
  properties: {
    correlation_id: text,
    topology: { type: 'string', description: '`name`, which means every version, or `name@version`.' },
    status: { type: 'string', pattern: STATUS_LIST, description: 'One or several, with commas.' },
    source: text,
    before: { type: 'string', description: 'Id of the last job of the page before.' },
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
  },
} as const;
