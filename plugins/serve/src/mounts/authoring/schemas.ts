// What OpenAPI says beside a schema (`summary`) is typed there.
import type {} from '@fastify/swagger';
import { closed as exactly, objectOrNull } from '@kit-run/kit/wire';

const text = { type: 'string' } as const;
const textOrNull = { type: ['string', 'null'] } as const;
const texts = { type: 'array', items: text } as const;
const open = { type: 'object', additionalProperties: true } as const;

/** An answer that carries the tag of its file. */
export const tagged = <S extends object>(schema: S) => ({
  ...schema,
  headers: { ETag: { type: 'string', description: 'Strong tag of the file (SHA-256 of its bytes), for If-Match.' } },
});

/** What the caller knows of the file. */
export const PRECONDITIONS = {
  type: 'object',
  properties: {
    'if-match': {
      type: 'string',
      maxLength: 1000,
      description: 'Tags that the file may have; another state answers 412.',
    },
    'if-none-match': { type: 'string', maxLength: 1000, description: '`*`: the file must not exist yet.' },
  },
} as const;

const ID = '^[a-z][a-z0-9-]*$';
const TOPOLOGY_ID = '^[a-z][a-z0-9-]*(@[0-9]+\\.[0-9]+\\.[0-9]+)?$';

export const idParams = (kind: string) => ({
  ...exactly({ id: { type: 'string', maxLength: 200, pattern: kind === 'topologies' ? TOPOLOGY_ID : ID } }),
});

/** The whole text of the file, or its content, which is laid into the text that is there. */
export const CHANGE_BODY = {
  type: 'object',
  additionalProperties: false,
  properties: {
    yaml: { type: 'string', description: 'The whole file, written as it is given.' },
    content: { ...open, description: 'The whole document as JSON; comments and layout of the file stay.' },
    dry_run: { type: 'boolean', default: false, description: 'Judges the change and writes nothing.' },
  },
  oneOf: [{ required: ['yaml'] }, { required: ['content'] }],
} as const;

const EDIT_PROBLEM = exactly({
  code: text,
  message: text,
  path: { type: 'string', description: 'File, relative to the workspace.' },
  pointer: { type: 'string', description: 'JSON Pointer into the file.' },
  line: { type: ['integer', 'null'], minimum: 1 },
});

export const VALIDATION_RESULT = {
  oneOf: [
    exactly({
      valid: { type: 'boolean', enum: [true] },
      topologies: texts,
      skills: texts,
      archetypes: texts,
      written: { type: 'boolean' },
      reloaded: { type: 'boolean' },
    }),
    exactly({ valid: { type: 'boolean', enum: [false] }, errors: { type: 'array', items: EDIT_PROBLEM } }),
  ],
} as const;

export const YAML = exactly({ yaml: text });
export const DELETED = exactly({ deleted: { type: 'boolean', enum: [true] }, id: text, reloaded: { type: 'boolean' } });
export const SAVED = exactly({ saved: { type: 'boolean', enum: [true] }, entry: text, reloaded: { type: 'boolean' } });

export const ROWS = {
  type: 'array',
  items: exactly({ id: text, name: text, version: text, description: text, category: text, role: text, path: text }, [
    'version',
    'category',
    'role',
  ]),
} as const;

/** A tree: a schema of its own, so that it can name itself. */
export const RESOLVED_AGENT = {
  $id: 'ResolvedAgent',
  ...exactly(
    {
      id: text,
      role: { type: 'string', enum: ['root', 'leader', 'worker'] },
      source_archetype: textOrNull,
      model: objectOrNull(exactly({ provider: textOrNull, name: textOrNull })),
      skills: texts,
      requires: { type: 'object', additionalProperties: texts },
      funnel: textOrNull,
      depends_on: texts,
      children: { type: 'array', items: { $ref: 'ResolvedAgent#' } },
    },
    ['depends_on', 'children'],
  ),
} as const;

/** Answer of `GET /api/<kind>/{id}`. */
export const DETAILS = {
  topologies: exactly({
    id: text,
    version: textOrNull,
    description: text,
    resolved: { anyOf: [{ $ref: 'ResolvedAgent#' }, { type: 'null' }] },
    input_schema: { type: ['object', 'null'], additionalProperties: true },
  }),
  skills: exactly({ id: text, name: text, description: text, category: textOrNull, implementation_type: textOrNull }),
  archetypes: exactly({
    id: text,
    name: text,
    description: text,
    role: textOrNull,
    defaults: exactly({
      model: { type: ['object', 'null'], additionalProperties: true },
      skills: { type: 'array', items: { anyOf: [text, open] } },
    }),
  }),
} as const;

export const CONFIG = exactly({
  credentials: {
    type: 'array',
    items: exactly({ id: text, source: text, config: open, identity: textOrNull, resolves: { type: 'boolean' } }),
  },
  mcp_servers: { type: 'array', items: open },
  events: { type: 'array', items: open },
});

export const ENTRY_PARAMS = exactly({
  section: { type: 'string', maxLength: 100 },
  entry_id: { type: 'string', minLength: 1, maxLength: 200 },
});
export const ENTRY_BODY = { ...open, description: 'The whole entry.' } as const;
