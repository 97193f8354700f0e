// schemas/kinds -> src/domain/generated/defaults.ts: what a key means where it is not written, by
// the block that it stands in.
import { deref } from './schema-keys.mjs';
import { readSchemas } from './schemas.mjs';

const isSchema = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** `x-default` of a key, else of what it refers to. */
function defaultOf(files, file, schema) {
  if (schema['x-default'] !== undefined || typeof schema.$ref !== 'string') return schema['x-default'];
  const target = deref(files, file, schema.$ref);
  return defaultOf(files, target.file, target.schema);
}

/** Blocks with defaults: `ServerJobs` and `Storage.audit`, a named block or a place below one. */
function blocksOf(files) {
  const blocks = {};
  const visit = (file, schema, name) => {
    if (!isSchema(schema)) return;
    for (const [key, child] of Object.entries(schema.properties ?? {})) {
      const value = defaultOf(files, file, child);
      if (value !== undefined) blocks[name] = { ...blocks[name], [key]: value };
      visit(file, child, `${name}.${key}`);
    }
    const inside = [schema.items, schema.additionalProperties, ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
    for (const part of inside) visit(file, part, name);
  };
  for (const [file, schema] of files) {
    visit(file, schema, schema.title);
    for (const [name, definition] of Object.entries(schema.$defs ?? {})) visit(file, definition, name);
  }
  return blocks;
}

/** The text of defaults.ts. */
export async function defaultsModule() {
  const files = new Map((await readSchemas('schemas/kinds')).map(({ name, schema }) => [name, schema]));
  const text = JSON.stringify(blocksOf(files), null, 2);
  return `\n/** What the keys of a block mean where they are not written. */\nexport const DEFAULTS = ${text} as const;\n`;
}
