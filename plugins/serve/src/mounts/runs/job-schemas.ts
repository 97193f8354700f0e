import { JOB_RECORD_SCHEMA, JOB_SUMMARY_SCHEMA, WIRE_JOB_STATUSES } from '@kit-run/kit/command';

const text = { type: 'string' } as const;
const timeOrNull = { type: ['string', 'null'], format: 'date-time' } as const;

const submittedProperties = {
  ...JOB_RECORD_SCHEMA.properties,
  author_notice: {
    type: ['string', 'null'],
    description: 'Set when a gate excludes the author and nobody knows who that is.',
  },
  warnings: {
    type: 'array',
    items: text,
    description: 'Keys that the run uses without an effect yet, and what of the request counts otherwise.',
  },
} as const;

/** The answer to a submit: the record, and what a person should know of the run. */
export const SUBMITTED_JOB = {
  type: 'object',
  description: 'The job; it is `pending`, with the role `api` `queued`, or as it is now where the key was used before.',
  additionalProperties: false,
  required: Object.keys(submittedProperties),
  properties: submittedProperties,
} as const;

/** Jobs, newest first. */
export const JOB_LIST = {
  type: 'array',
  description: 'Newest first.',
  items: {
    ...JOB_SUMMARY_SCHEMA,
    properties: {
      ...JOB_SUMMARY_SCHEMA.properties,
      view: {
        type: 'object',
        additionalProperties: true,
        description: 'With `view=1`: `wall_ms`, `agents`, `model_calls`, `tool_calls`, `issues`, `outage`, `usage`.',
      },
    },
  },
} as const;

const secondsOrNull = { type: ['number', 'null'], minimum: 0, description: 'Seconds; null = no sample.' } as const;
const statsProperties = {
  queued: { type: 'integer' },
  running: { type: 'integer' },
  waiting_for_outage: {
    type: 'integer',
    description: 'Jobs without a worker until a provider or a server of tools that is down may be up again.',
  },
  next_outage_look_at: { type: ['string', 'null'], format: 'date-time' },
  oldest_queued_age_seconds: secondsOrNull,
  queue_wait_p50_seconds: secondsOrNull,
  queue_wait_p95_seconds: secondsOrNull,
  execution_p50_seconds: secondsOrNull,
  execution_p95_seconds: secondsOrNull,
  depth_by_topology: { type: 'object', additionalProperties: { type: 'integer' } },
  sample_size: { type: 'integer', description: 'Completed runs the percentiles are of, 500 at most.' },
} as const;

const blocked = {
  description:
    'Jobs that wait and that no live server or worker can claim, most jobs first; null: the fleet could not be read.',
  anyOf: [
    {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['jobs', 'job_class', 'engine', 'missing', 'example'],
        properties: {
          jobs: { type: 'integer' },
          job_class: text,
          engine: { type: 'integer' },
          missing: { type: 'array', items: text, description: 'What the process lacks that comes nearest, in words.' },
          example: { type: 'string', description: 'Id of one of them.' },
        },
      },
    },
    { type: 'null' },
  ],
} as const;

/** How the queue does. */
export const QUEUE_STATS = {
  type: 'object',
  description: 'The queue now, and the times of the newest completed runs.',
  additionalProperties: false,
  required: [...Object.keys(statsProperties), 'blocked'],
  properties: { ...statsProperties, blocked },
} as const;

export const STOP_REPORT = {
  type: 'object',
  description: 'What came of the request.',
  additionalProperties: false,
  required: ['job_id', 'status', 'stop_requested_at', 'already_requested', 'detail'],
  properties: {
    job_id: text,
    status: { type: 'string', enum: WIRE_JOB_STATUSES },
    stop_requested_at: timeOrNull,
    already_requested: { type: 'boolean' },
    detail: text,
  },
} as const;

export const RETRY_REPORT = {
  type: 'object',
  description: 'The job that goes on from the failed one.',
  additionalProperties: false,
  required: ['job_id', 'status', 'already_retried', 'asked_anew'],
  properties: {
    job_id: text,
    status: { type: 'string', enum: WIRE_JOB_STATUSES },
    already_retried: {
      type: 'boolean',
      description: 'The job was made by an earlier retry, and is told as it is now.',
    },
    asked_anew: {
      type: 'array',
      items: text,
      description: 'Steps of gates and questions that people decide once more.',
    },
  },
} as const;

/** What going on is asked with. */
export const RESUME_QUERY = {
  type: 'object',
  properties: {
    anew: {
      type: 'boolean',
      default: false,
      description:
        'Sessions of coding harnesses begin anew, wherever their worktrees lie; what they changed is given up.',
    },
  },
} as const;

/** What a retry is asked with. */
export const RETRY_QUERY = {
  type: 'object',
  properties: {
    repeat_pruned: {
      type: 'boolean',
      default: false,
      description: 'Steps whose results were removed, and what came after them, run once more.',
    },
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

/** How a job in the path is named. */
export const PREFIX_QUERY = {
  type: 'object',
  properties: {
    prefix: { type: 'boolean', default: false, description: 'The path may hold a unique prefix of the id.' },
  },
} as const;

const STATUS_LIST = `^(${WIRE_JOB_STATUSES.join('|')})(,(${WIRE_JOB_STATUSES.join('|')}))*$`;

/** Filters of a list. */
/** Jobs of a page with `fields=all`, which holds what may be long. */
export const WHOLE_JOBS = 50;

export const LIST_QUERY = {
  type: 'object',
  properties: {
    correlation_id: text,
    topology: { type: 'string', description: '`name`, which means every version, or `name@version`.' },
    status: { type: 'string', pattern: STATUS_LIST, description: 'One or several, with commas.' },
    source: text,
    before: { type: 'string', description: 'Id of the last job of the page before.' },
    view: {
      type: 'string',
      enum: ['1'],
      description: 'With what the events of each job add up to, and with the filters below.',
    },
    id_prefix: { type: 'string', pattern: '^[0-9a-f]{1,12}$', description: 'With `view=1`: the beginning of the id.' },
    labels: { type: 'string', maxLength: 8192, description: 'With `view=1`: a JSON object; a job has all of them.' },
    younger_than_ms: { type: 'integer', minimum: 0, description: 'With `view=1`: submitted within.' },
    older_than_ms: { type: 'integer', minimum: 0, description: 'With `view=1`: submitted before that.' },
    fields: {
      type: 'string',
      enum: ['all'],
      description: `With \`input\` and \`output\`; ${WHOLE_JOBS} jobs at most.`,
    },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      description: `Default: 100; ${WHOLE_JOBS} with \`fields=all\`.`,
    },
  },
  if: { required: ['fields'] },
  // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema.
  then: { properties: { limit: { type: 'integer', maximum: WHOLE_JOBS } } },
} as const;
