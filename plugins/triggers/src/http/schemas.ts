import { JOB } from '@kit-run/kit/wire';

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };

const event = {
  type: 'object',
  additionalProperties: false,
  required: ['pipeline', 'correlation_id', 'event'],
  properties: { pipeline: text, correlation_id: text, event: text },
};

/** Events that a hook has handed to the application's listener. */
const HOOK_EVENTS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['delivered', 'trigger', 'source', 'signals'],
  properties: { delivered: { const: true }, trigger: text, source: text, signals: { type: 'array', items: event } },
};

/** What a hook answers: the run that it started, or the events that it handed on. */
export const HOOK_ANSWER_SCHEMA = { anyOf: [JOB, HOOK_EVENTS_SCHEMA] };

/** One trigger of `GET /triggers`. */
const TRIGGER_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: [
    'id',
    'type',
    'provider_id',
    'enabled',
    'active',
    'reason',
    'targets',
    'pipeline_targets',
    'config',
    'next_fire_at',
  ],
  properties: {
    id: text,
    type: { enum: ['cron', 'webhook', 'file_watch', 'manual', 'plugin'] },
    provider_id: textOrNull,
    enabled: { type: 'boolean' },
    active: { type: 'boolean' },
    reason: textOrNull,
    targets: { type: 'array', items: text },
    pipeline_targets: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['pipeline', 'emit', 'correlation_id'],
        properties: { pipeline: text, emit: text, correlation_id: text },
      },
    },
    config: { type: 'object', additionalProperties: true },
    next_fire_at: textOrNull,
  },
};

export const TRIGGER_LIST_SCHEMA = { type: 'array', items: TRIGGER_SCHEMA };

/** What `POST /triggers/{id}/fire` may be sent; without a body the trigger gives its own input. */
export const FIRE_REQUEST_SCHEMA = {
  type: ['object', 'null'],
  properties: { input: { description: 'Input of every run: a text, or JSON.' } },
};

/** What came of each target; one that was refused says why, and the others run all the same. */
export const FIRED_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['trigger', 'type', 'targets'],
  properties: {
    trigger: text,
    type: text,
    targets: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['target', 'job_id', 'refused'],
        properties: {
          target: text,
          job_id: textOrNull,
          refused: {
            anyOf: [
              { type: 'null' },
              {
                type: 'object',
                additionalProperties: false,
                required: ['code', 'detail'],
                properties: { code: text, detail: text },
              },
            ],
          },
        },
      },
    },
  },
};

/** Path parameters. */
export const nameParams = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', minLength: 1, maxLength: 256 } },
};
export const idParams = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', minLength: 1, maxLength: 256 } },
};
