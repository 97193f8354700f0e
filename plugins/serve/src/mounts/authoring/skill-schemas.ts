// What OpenAPI says beside a schema (`summary`) is typed there.
import type {} from '@fastify/swagger';
import { arrayOf, BOOLEAN, closed, nullable, STRING, STRINGS } from '@kit-run/kit/wire';

const open = { type: 'object', additionalProperties: true } as const;
const textOrNull = { type: ['string', 'null'] } as const;
const STATE = { type: 'string', enum: ['new', 'same', 'differs'] } as const;

export const CATALOGUE = closed({
  source: { type: 'string', description: '`bundled`, a directory, or an address.' },
  bundles: arrayOf(
    closed({
      id: STRING,
      name: STRING,
      description: STRING,
      skills: STRINGS,
      verification: STRING,
      requires_runtime: textOrNull,
      needs: { ...STRINGS, description: 'Programs that have to be on PATH.' },
    }),
  ),
  skills: arrayOf(
    closed({
      id: STRING,
      bundle: STRING,
      name: STRING,
      description: STRING,
      backing: STRING,
      server: textOrNull,
      installed: BOOLEAN,
    }),
  ),
  broken: arrayOf(closed({ id: STRING, problem: STRING })),
});

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

const APPLIED = closed({ skill_files: STRINGS, server: BOOLEAN, reloaded: BOOLEAN });

export const ADDED = closed({
  skill_files: { type: 'object', additionalProperties: STRING, description: 'Path to text.' },
  file_states: { type: 'object', additionalProperties: STATE },
  server_entry: { anyOf: [open, { type: 'null' }] },
  server_state: { anyOf: [STATE, { type: 'null' }] },
  credential_entries: arrayOf(closed({ section: STRING, id: STRING, value: open, state: STATE })),
  notes: STRINGS,
  digest: STRING,
  applied: nullable(APPLIED),
});

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

export const IMPORTED = closed({
  id: STRING,
  path: STRING,
  skill: { type: 'string', description: 'The converted skill as YAML.' },
  documents: STRINGS,
  left_out: STRINGS,
  notes: STRINGS,
  written: BOOLEAN,
});

export const CHECKS = arrayOf(
  closed({
    skill_id: STRING,
    server_id: STRING,
    tool: STRING,
    status: { type: 'string', enum: ['ok', 'missing', 'server-failed'] },
    detail: STRING,
  }),
);
