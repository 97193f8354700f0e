// Reads schemas/ for the other generators.
import { readdir, readFile } from 'node:fs/promises';

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
