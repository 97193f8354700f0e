// What OpenAPI says beside a schema (`summary`) is typed there.
import type {} from '@fastify/swagger';
import { ARCHETYPE, closed, OBJECT, SKILL, TOPOLOGY } from '@kit-run/kit/wire';

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
  ...closed({ id: { type: 'string', maxLength: 200, pattern: kind === 'topologies' ? TOPOLOGY_ID : ID } }),
});

/** The whole text of the file, or its content, which is laid into the text that is there. */
export const CHANGE_BODY = {
  type: 'object',
  additionalProperties: false,
  properties: {
    yaml: { type: 'string', description: 'The whole file, written as it is given.' },
    content: { ...OBJECT, description: 'The whole document as JSON; comments and layout of the file stay.' },
    dry_run: { type: 'boolean', default: false, description: 'Judges the change and writes nothing.' },
  },
  oneOf: [{ required: ['yaml'] }, { required: ['content'] }],
} as const;

/** Answer of `GET /api/<kind>/{id}`. */
export const DETAILS = { topologies: TOPOLOGY, skills: SKILL, archetypes: ARCHETYPE } as const;

export const ENTRY_PARAMS = closed({
  section: { type: 'string', maxLength: 100 },
  entry_id: { type: 'string', minLength: 1, maxLength: 200 },
});
export const ENTRY_BODY = { ...OBJECT, description: 'The whole entry.' } as const;
