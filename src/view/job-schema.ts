// JSON Schemas of what `wire-job.ts` makes, for every route that answers it.

const text = { type: 'string' } as const;
const textOrNull = { type: ['string', 'null'] } as const;
const timeOrNull = { type: ['string', 'null'], format: 'date-time' } as const;
const countOrNull = { type: ['integer', 'null'], minimum: 0 } as const;
const costOrNull = { type: ['number', 'null'], minimum: 0, description: 'USD; null = not known, 0 = free.' } as const;
/** Statuses as the wire has them. */
export const WIRE_JOB_STATUSES = [
  'pending',
  'queued',
  'running',
  'deferred',
  'completed',
  'failed',
  'stopped',
] as const;
const labels = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Never interpreted, but for `priority`.',
} as const;

const usage = {
  usage: {
    type: ['object', 'null'],
    additionalProperties: false,
    required: ['input_tokens', 'output_tokens', 'cost_usd'],
    properties: {
      input_tokens: { type: 'integer' },
      output_tokens: { type: 'integer' },
      cost_usd: costOrNull,
      estimated: {
        const: true,
        description: 'Part of it is an estimate: an attempt was billed, and nobody counted it. Absent: none is.',
      },
    },
  },
  usage_input_tokens: countOrNull,
  usage_output_tokens: countOrNull,
  usage_cost_usd: costOrNull,
} as const;

const identity = {
  id: { type: 'string', description: 'Twelve lower-case hex characters.' },
  job_id: { type: 'string', description: 'The same as `id`.' },
  status: { type: 'string', enum: WIRE_JOB_STATUSES },
  topology: text,
  version: textOrNull,
  reason: { type: ['string', 'null'], description: 'Machine-readable, of a failed, stopped or deferred job.' },
  error: { type: ['string', 'null'], description: 'For people; names the gate of a deferred job.' },
} as const;

const origin = {
  source: { type: 'string', description: 'cli, serve, chat, a2a, mcp, agent or trigger:<id>.' },
  correlation_id: textOrNull,
  labels,
  parent_job_id: {
    type: ['string', 'null'],
    description: 'The job that this one goes on from: a fork its source, any other the job it replaces (`supersedes`).',
  },
  caller_job_id: {
    type: ['string', 'null'],
    description: 'The job whose agent asked for this one (`source` is agent), and waits for it.',
  },
} as const;

const ungated = {
  type: 'array',
  items: text,
  description: 'Gates that nobody could be asked about: the run went on unreviewed.',
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
  replay: {
    type: ['string', 'null'],
    description: 'Digest of the cassette that answered the run; null = it was no replay.',
  },
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
  ungated,
  created_at: { type: 'string', format: 'date-time' },
  claimed_at: timeOrNull,
  started_at: timeOrNull,
  parked_at: timeOrNull,
  completed_at: timeOrNull,
  stop_requested_at: timeOrNull,
  executed_ms: { type: 'integer', description: 'Execution alone, without queue and parked time.' },
  attachments: { type: 'array', items: attachment },
} as const;

/** A job with everything that is known of it. */
export const JOB_RECORD_SCHEMA = {
  type: 'object',
  description: 'A job.',
  additionalProperties: false,
  required: Object.keys(recordProperties),
  properties: recordProperties,
} as const;

/** A job in a list; `input` and `output` only where they were asked for. */
export const JOB_SUMMARY_SCHEMA = {
  ...JOB_RECORD_SCHEMA,
  required: Object.keys(recordProperties).filter((name) => name !== 'input' && name !== 'output'),
} as const;
