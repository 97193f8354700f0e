// What a key means where it is not written, by the block that it stands in:
// schemas/kinds -> src/domain/generated/defaults.ts, and
// plugins/<name>/schemas -> plugins/<name>/src/generated/defaults.ts.
import { deref } from './schema-keys.mjs';
import { readPluginSchemas, readSchemas } from './schemas.mjs';

const isSchema = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** `x-default` of a key, else of what it refers to. */
function defaultOf(files, file, schema) {
  if (schema['x-default'] !== undefined || typeof schema.$ref !== 'string') return schema['x-default'];
  const target = deref(files, file, schema.$ref);
  return defaultOf(files, target.file, target.schema);
}

/**
 * Blocks with defaults: `ServerJobs` and `Storage.audit`, a named block or a place below one.
 * `nameOf` gives the name of the block that is a file.
 */
function blocksOf(files, nameOf) {
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
    visit(file, schema, nameOf(file, schema));
    for (const [name, definition] of Object.entries(schema.$defs ?? {})) visit(file, definition, name);
  }
  return blocks;
}

const moduleText = (blocks) =>
  `\n/** What the keys of a block mean where they are not written. */\nexport const DEFAULTS = ${JSON.stringify(blocks, null, 2)} as const;\n`;

const ofFile = (file) => file.replace(/\.json$/, '');

const ofKinds = async () =>
  blocksOf(
    new Map((await readSchemas('schemas/kinds')).map(({ name, schema }) => [name, schema])),
    (_, { title }) => title,
  );

/** Blocks of kinds that a plugin reads itself. */
const READ_BY = { mcp: ['McpServer.sandbox_resources'], harness: ['AdapterSandbox.resources'] };

/**
 * The text of defaults.ts: of the kinds, and of what kit reads itself of plugins: the executor
 * `harness`, and model providers that are servers.
 */
export async function defaultsModule() {
  const plugins = new Map((await readPluginSchemas()).map(({ plugin, files }) => [plugin, files]));
  const server = new Map([['server.json', plugins.get('models').get('server.json')]]);
  const others = { ...blocksOf(plugins.get('harness'), ofFile), ...blocksOf(server, () => 'ModelServer') };
  return moduleText({ ...(await ofKinds()), ...others });
}

/** `[path, text]` of the defaults of each plugin that has some; a block is called by its file. */
export async function pluginDefaults() {
  const kinds = await ofKinds();
  return (await readPluginSchemas()).flatMap(({ plugin, files }) => {
    const read = Object.fromEntries((READ_BY[plugin] ?? []).map((name) => [name, kinds[name]]));
    const blocks = { ...blocksOf(files, ofFile), ...read };
    const path = `plugins/${plugin}/src/generated/defaults.ts`;
    return Object.keys(blocks).length === 0 ? [] : [[path, moduleText(blocks)]];
  });
}
