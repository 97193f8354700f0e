import { isObject, type Json, type JsonObject } from './json.js';

type Schema = JsonObject;

/** `common.schema.json#/$defs/Identifier`: a document beside this one, and a place in it. */
const OUTER = /^([A-Za-z0-9-]+\.schema\.json)(?:#(.*))?$/;

/**
 * One document without references to others: each document that is referred to lies whole below
 * `$defs` under its file name, and references lead there. `read` gives a document by its file name;
 * null ends in an error, because the schema would then be wrong.
 */
export async function bundleSchema(root: Schema, read: (file: string) => Promise<Schema | null>): Promise<Schema> {
  const bundled = new Map<string, Schema>();
  const add = async (file: string): Promise<void> => {
    if (bundled.has(file)) return;
    const document = await read(file);
    if (document === null) throw new Error(`${file} is referred to and not there`);
    const { $schema: _dialect, ...rest } = document;
    bundled.set(file, {}); // two documents may refer to each other
    for (const outer of outerFiles(rest)) await add(outer);
    bundled.set(file, relocated(rest, `/$defs/${file}`));
  };
  for (const file of outerFiles(root)) await add(file);
  const own = relocated(root, '');
  if (bundled.size === 0) return own;
  return { ...own, $defs: { ...(isObject(own.$defs) ? own.$defs : {}), ...Object.fromEntries(bundled) } };
}

function outerFiles(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => outerFiles(item));
  if (!isObject(value)) return [];
  const file = typeof value.$ref === 'string' ? OUTER.exec(value.$ref)?.[1] : undefined;
  return [...(file === undefined ? [] : [file]), ...Object.values(value).flatMap(outerFiles)];
}

/** The same schema at another place of the bundle. */
const relocated = (schema: Schema, at: string): Schema =>
  Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? refAt(value, at) : moved(value, at),
    ]),
  );

function moved(value: Json, at: string): Json {
  if (Array.isArray(value)) return value.map((item: Json) => moved(item, at));
  return isObject(value) ? relocated(value, at) : value;
}

function refAt(ref: string, at: string): string {
  const [, file, place = ''] = OUTER.exec(ref) ?? [];
  if (file !== undefined) return `#/$defs/${file}${place}`;
  return ref.startsWith('#') ? `#${at}${ref.slice(1)}` : ref;
}
