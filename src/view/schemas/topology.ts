// Topologies, skills and archetypes as their files say them.
import type { Json } from '../../lib/json.js';
import {
  arrayOf,
  closed,
  OBJECT,
  objectOrNull,
  oneOf,
  recordOf,
  type Schema,
  STRING,
  STRINGS,
  TEXT_OR_NULL,
  type TypeOf,
} from './words.js';

/** `GET /api/<kind>`: the row of a file has what files of its kind have. */
export const ARTIFACT_ROWS = arrayOf(
  closed(
    {
      id: STRING,
      name: STRING,
      version: STRING,
      description: STRING,
      category: STRING,
      role: STRING,
      path: STRING,
    },
    ['version', 'category', 'role'],
  ),
);
export type WireArtifactRow = TypeOf<typeof ARTIFACT_ROWS>[number];

const AGENT_FIELDS = {
  id: STRING,
  role: oneOf(['root', 'leader', 'worker']),
  source_archetype: TEXT_OR_NULL,
  model: objectOrNull(closed({ provider: TEXT_OR_NULL, name: TEXT_OR_NULL })),
  skills: STRINGS,
  requires: recordOf(STRINGS),
  funnel: TEXT_OR_NULL,
  depends_on: STRINGS,
};
const WITHOUT_CHILDREN = closed(AGENT_FIELDS, ['depends_on']);

/** A tree: the type names itself as the schema does. */
export type WireResolvedAgent = TypeOf<typeof WITHOUT_CHILDREN> & { readonly children?: readonly WireResolvedAgent[] };

const AGENT_REF: Schema<WireResolvedAgent> = { $ref: 'ResolvedAgent#' };
export const RESOLVED_AGENT: Schema<WireResolvedAgent, Json> = {
  $id: 'ResolvedAgent',
  ...closed({ ...AGENT_FIELDS, children: arrayOf(AGENT_REF) }, ['depends_on', 'children']),
};

/** `GET /api/topologies/{id}`, beside `RESOLVED_AGENT`. The input of a run has a JSON Schema. */
export const TOPOLOGY = closed({
  id: STRING,
  version: TEXT_OR_NULL,
  description: STRING,
  resolved: { anyOf: [AGENT_REF, { type: 'null' }] } as Schema<WireResolvedAgent | null>,
  input_schema: objectOrNull(OBJECT),
});
export type WireTopology = TypeOf<typeof TOPOLOGY>;

/** `GET /api/skills/{id}`. */
export const SKILL = closed({
  id: STRING,
  name: STRING,
  description: STRING,
  category: TEXT_OR_NULL,
  implementation_type: TEXT_OR_NULL,
});

/** `GET /api/archetypes/{id}`. Its defaults are what the file says, which may be wrong yet. */
export const ARCHETYPE = closed({
  id: STRING,
  name: STRING,
  description: STRING,
  role: TEXT_OR_NULL,
  defaults: closed({
    model: objectOrNull(OBJECT),
    skills: arrayOf({ anyOf: [STRING, OBJECT] }),
  }),
});

/** A file of each kind that is shown. */
export type WireArtifactDetail = WireTopology | TypeOf<typeof SKILL> | TypeOf<typeof ARCHETYPE>;
