import { readdirSync, readFileSync } from 'node:fs';

type Schema = { readonly [key: string]: unknown };

const folder = new URL('../../schemas/kinds/', import.meta.url);

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function loadAll(): ReadonlyMap<string, Schema> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.schema.json'));
  return new Map(names.map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Schema]));
}

function deref(
  files: ReadonlyMap<string, Schema>,
  file: string,
  ref: string,
): { readonly file: string; readonly schema: Schema } {
  const [name, pointer = ''] = ref.split('#');
  const target = name === undefined || name === '' ? file : name;
  let schema: unknown = files.get(target);
  for (const segment of pointer.split('/').slice(1)) schema = (schema as Schema)[segment];
  return { file: target, schema: schema as Schema };
}

/** Properties, map values and items that a schema declares, through `$ref`, `allOf` and `oneOf`. */
function membersOf(
  files: ReadonlyMap<string, Schema>,
  file: string,
  schema: Schema,
): readonly { readonly name: string; readonly file: string; readonly schema: Schema }[] {
  const found: { name: string; file: string; schema: Schema }[] = [];
  if (typeof schema.$ref === 'string') {
    const target = deref(files, file, schema.$ref);
    found.push(...membersOf(files, target.file, target.schema));
  }
  for (const key of ['allOf', 'oneOf', 'anyOf']) {
    const list = schema[key];
    if (Array.isArray(list)) for (const part of list) if (isSchema(part)) found.push(...membersOf(files, file, part));
  }
  if (isSchema(schema.properties))
    for (const [name, child] of Object.entries(schema.properties))
      if (isSchema(child)) found.push({ name, file, schema: child });
  if (isSchema(schema.additionalProperties)) found.push({ name: '*', file, schema: schema.additionalProperties });
  if (isSchema(schema.items)) found.push({ name: '*', file, schema: schema.items });
  if (isSchema(schema.patternProperties))
    for (const child of Object.values(schema.patternProperties))
      if (isSchema(child)) found.push({ name: '*_map', file, schema: child });
  return found;
}

/** True when something below the schema carries a name of its own. */
const declares = (files: ReadonlyMap<string, Schema>, file: string, schema: Schema): boolean =>
  membersOf(files, file, schema).some((member) =>
    member.name === '*' ? declares(files, member.file, member.schema) : true,
  );

/**
 * True when a place that has declared keys may also hold a plain value, or keys that nobody
 * declares.
 */
function isMixed(files: ReadonlyMap<string, Schema>, file: string, schema: Schema): boolean {
  if (schema.additionalProperties === true) return true;
  if (typeof schema.$ref === 'string') {
    const target = deref(files, file, schema.$ref);
    return isMixed(files, target.file, target.schema);
  }
  const branches = [schema.oneOf, schema.anyOf].flatMap((list) => (Array.isArray(list) ? list : [])).filter(isSchema);
  // A branch that only says `required` or `not` is a condition, not another shape.
  return branches.some(
    (branch) =>
      (typeof branch.$ref === 'string' || typeof branch.type === 'string' || Array.isArray(branch.type)) &&
      !declares(files, file, branch),
  );
}

/** `agents.root` and every `children.*` are the same place: an agent. */
const canonical = (path: string): string =>
  path.replace(/^Topology\.agents\.root/, 'Topology.agents.*').replace(/(?:\.children\.\*)+/g, '');

/**
 * Every key path of all kinds that may hold a value of its own; `*` stands for an item of a list or
 * a key of a map.
 */
export function schemaKeys(): readonly string[] {
  const files = loadAll();
  const keys = new Set<string>();
  const visited = new Set<string>();
  const visit = (file: string, schema: Schema, path: string): void => {
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
    for (const member of members) visit(member.file, member.schema, `${at}.${member.name}`);
  };
  for (const [file, schema] of files) {
    const kind = String(schema.title);
    if (kind !== 'Common' && kind !== 'ApprovalPolicy') visit(file, schema, kind);
  }
  return [...keys].toSorted();
}
