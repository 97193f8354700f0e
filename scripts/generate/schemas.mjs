// Reads schemas/, of kit and of its plugins, for the other generators.
import { glob, readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = new URL('../../', import.meta.url);

/** Every `*.schema.json` of a folder below the root, sorted by name: [{ name, schema }]. */
export async function readSchemas(folder) {
  const names = (await readdir(new URL(folder, root))).filter((name) => name.endsWith('.schema.json')).sort();
  return Promise.all(
    names.map(async (name) => ({
      name,
      schema: JSON.parse(await readFile(new URL(`${folder}/${name}`, root), 'utf8')),
    })),
  );
}

/** Schemas of what plugins are configured with: [{ plugin, files }], by name; files by theirs. */
export async function readPluginSchemas() {
  const paths = (await Array.fromAsync(glob('plugins/*/schemas/*.json', { cwd: fileURLToPath(root) }))).sort();
  const read = await Promise.all(
    paths.map(async (path) => ({
      plugin: path.split(/[\\/]/)[1],
      name: basename(path),
      schema: JSON.parse(await readFile(new URL(path, root), 'utf8')),
    })),
  );
  return [...Map.groupBy(read, ({ plugin }) => plugin)].map(([plugin, schemas]) => ({
    plugin,
    files: new Map(schemas.map(({ name, schema }) => [name, schema])),
  }));
}
