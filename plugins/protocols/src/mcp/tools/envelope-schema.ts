import type { JsonObject, JsonSchema } from '@kit-run/kit/plugin';
import { JOB_STATUSES } from '@kit-run/kit/wire';
import { asPart } from './rebase-refs.js';

/**
 * What every tool answers beside its text. A schema of the answer alone would be a lie for every
 * run that waits for people, and clients refuse answers that do not fit. Null: the answer is text.
 */
export const envelopeSchema = (output: JsonSchema | null): JsonObject & { readonly type: 'object' } => ({
  type: 'object',
  required: ['job_id', 'status'],
  properties: {
    job_id: { type: 'string', description: 'The run; kit_job takes it.' },
    status: {
      type: 'string',
      enum: [...JOB_STATUSES],
      description: 'deferred: it waits for people, and goes on by itself once they have decided.',
    },
    output: output === null ? { description: 'The answer of a completed run.' } : asPart(output, '/properties/output'),
    error: { type: 'string', description: 'What went wrong, or what the run waits for.' },
    artifacts: {
      type: 'array',
      description: 'What the run made, the newest first: resources/read takes the uri.',
      items: {
        type: 'object',
        required: ['uri', 'name', 'media_type'],
        properties: { uri: { type: 'string' }, name: { type: 'string' }, media_type: { type: 'string' } },
      },
    },
    gate_url: { type: 'string', description: 'Where people see what they are asked, and decide.' },
  },
});
