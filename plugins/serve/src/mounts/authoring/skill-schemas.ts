// What OpenAPI says beside a schema (`summary`) is typed there.
import type {} from '@fastify/swagger';

export const ADD_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['ref'],
  properties: {
    ref: { type: 'string', minLength: 1, maxLength: 200, description: 'Id of a bundle or a skill of the catalogue.' },
    dry_run: { type: 'boolean', default: false, description: 'Answers what would be written, and its digest.' },
    digest: { type: 'string', maxLength: 200, description: 'Of the dry run that was looked at; a write wants it.' },
  },
} as const;

export const IMPORT_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['text'],
  properties: {
    text: { type: 'string', description: 'A whole SKILL.md.' },
    origin: { type: 'string', maxLength: 500, default: 'upload', description: 'Written into its provenance.' },
    dry_run: { type: 'boolean', default: false, description: 'Converts, and writes nothing.' },
  },
} as const;
