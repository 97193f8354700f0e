// Every key that the schemas of kinds declare: src/compile/generated/keys.ts.
import { readSchemas } from './schemas.mjs';

const isSchema = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

export function deref(files, file, ref) {
  const [name, pointer = ''] = ref.split('#');
  const target = name === '' ? file : name;
  let schema = files.get(target);
  for (const segment of pointer.split('/').slice(1)) schema = schema[segment];
  return { file: target, schema };
}

/** Properties, map values and items that a schema declares, through `$ref`, `allOf` and `oneOf`. */
function membersOf(files, file, schema) {
  const found = [];
  if (typeof schema.$ref === 'string') {
    const target = deref(files, file, schema.$ref);
    found.push(...membersOf(files, target.file, target.schema));
  }
  for (const key of ['allOf', 'oneOf', 'anyOf'])
    for (const part of schema[key] ?? []) if (isSchema(part)) found.push(...membersOf(files, file, part));
  for (const [name, child] of Object.entries(schema.properties ?? {}))
    if (isSchema(child)) found.push({ name, file, schema: child });
  if (isSchema(schema.additionalProperties)) found.push({ name: '*', file, schema: schema.additionalProperties });
  if (isSchema(schema.items)) found.push({ name: '*', file, schema: schema.items });
  for (const child of Object.values(schema.patternProperties ?? {}))
    if (isSchema(child)) found.push({ name: '*_map', file, schema: child });
  return found;
}

/** True when something below the schema carries a name of its own. */
const declares = (files, file, schema) =>
  membersOf(files, file, schema).some((member) =>
    member.name === '*' ? declares(files, member.file, member.schema) : true,
  );

/**
 * True when a place that has declared keys may also hold a plain value, or keys that nobody
 * declares.
 */
function isMixed(files, file, schema) {
  if (schema.additionalProperties === true) return true;
  if (typeof schema.$ref === 'string') {
    const target = deref(files, file, schema.$ref);
    return isMixed(files, target.file, target.schema);
  }
  const branches = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].filter(isSchema);
  // A branch that only says `required` or `not` is a condition, not another shape.
  return branches.some(
    (branch) =>
      (typeof branch.$ref === 'string' || typeof branch.type === 'string' || Array.isArray(branch.type)) &&
      !declares(files, file, branch),
  );
}

/** `agents.root` and every `children.*` are the same place: an agent. */
const canonical = (path) =>
  path.replace(/^Topology\.agents\.root/, 'Topology.agents.*').replace(/(?:\.children\.\*)+/g, '');

/** What the schemas say of the members of one name; the stronger word counts. */
function statusOf(members, name) {
  const said = members.filter((member) => member.name === name).map(({ schema }) => schema['x-status']);
  return said.find((status) => status === 'in-force') ?? said.find((status) => status !== undefined);
}

/** Every key path of all kinds that may hold a value of its own, sorted, and which are labels. */
function keysOf(files) {
  const keys = new Set();
  const labels = new Set();
  const visited = new Set();
  const visit = (file, schema, path) => {
    const at = canonical(path);
    if (at !== path && path.includes('.children.*')) {
      keys.add(`${at}.children`);
      return;
    }
    if (visited.has(at)) return;
    visited.add(at);
    const members = membersOf(files, file, schema).filter(
      (member) => member.name !== '*' || declares(files, member.file, member.schema),
    );
    if (members.length === 0 || isMixed(files, file, schema)) keys.add(at);
    for (const member of members) {
      const below = `${at}.${member.name}`;
      if (statusOf(members, member.name) === 'label') labels.add(below);
      visit(member.file, member.schema, below);
    }
  };
  for (const [file, schema] of files)
    if (schema.title !== 'Common' && schema.title !== 'ApprovalPolicy') visit(file, schema, schema.title);
  return { keys: [...keys].sort(), labels: [...labels].sort() };
}

export async function keysModule() {
  const files = new Map((await readSchemas('schemas/kinds')).map(({ name, schema }) => [name, schema]));
  const { keys, labels } = keysOf(files);
  return [
    `\n/** Every key of every kind that may hold a value of its own. */\nexport const SCHEMA_KEYS: readonly string[] = ${JSON.stringify(keys, null, 2)};\n`,
    '/**\n * Keys that people read and nothing else does. No run and no verdict depends on one, and a test\n * holds them to that.\n */',
    `export const LABEL_KEYS: ReadonlySet<string> = new Set(${JSON.stringify(labels, null, 2)});\n`,
  ].join('\n');
}
