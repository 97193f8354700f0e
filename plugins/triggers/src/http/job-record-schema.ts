const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
const numberOrNull = { type: ['number', 'null'] };
const texts = { type: 'object', additionalProperties: text };

const usage = {
  anyOf: [
    { type: 'null' },
    {
      type: 'object',
      additionalProperties: false,
      required: ['input_tokens', 'output_tokens', 'cost_usd'],
      properties: { input_tokens: { type: 'integer' }, output_tokens: { type: 'integer' }, cost_usd: numberOrNull },
    },
  ],
};

const attachment = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'media_type', 'size_bytes', 'sha256', 'path', 'handling'],
  properties: { name: text, media_type: text, size_bytes: { type: 'integer' }, sha256: text, path: textOrNull, handling: text },
};

const properties = {
  id: text,
  job_id: text,
  status: { enum: ['pending', 'queued', 'running', 'deferred', 'completed', 'failed', 'stopped'] },
  topology: text,
  version: textOrNull,
  input: text,
  output: textOrNull,
  reason: textOrNull,
  error: textOrNull,
  usage,
  usage_input_tokens: { type: ['integer', 'null'] },
  usage_output_tokens: { type: ['integer', 'null'] },
  usage_cost_usd: numberOrNull,
  diff_length: { type: ['integer', 'null'] },
  source: text,
  correlation_id: textOrNull,
  labels: texts,
  replay: textOrNull,
  parent_job_id: textOrNull,
  submitted_by: {
    type: 'object',
    additionalProperties: false,
    required: ['identity', 'assurance'],
    properties: { identity: text, assurance: { enum: ['authenticated', 'asserted', 'system'] } },
  },
  worker_id: textOrNull,
  lease_until: textOrNull,
  attempt: { type: 'integer' },
  job_class: { enum: ['model', 'harness'] },
  priority: { type: 'integer' },
  waiting_on: { type: 'array', items: text },
  created_at: text,
  claimed_at: textOrNull,
  started_at: textOrNull,
  parked_at: textOrNull,
  completed_at: textOrNull,
  stop_requested_at: textOrNull,
  executed_ms: { type: 'integer' },
  attachments: { type: 'array', items: attachment },
};

/** The run that a hook started, as `POST /run/{topology}` answers it (http-and-cli.md 1.1, JobRecord). */
export const JOB_RECORD_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties),
  properties,
};
