// The adapters that kit's own plugins bring, read when kit is built: every start that reads a
// workspace would read them again.
import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { root } from './schemas.mjs';

export async function adapterModule() {
  const paths = await Array.fromAsync(glob('plugins/*/adapters/*.yaml', { cwd: fileURLToPath(root) }));
  const entries = await Promise.all(
    paths.sort().map(async (path) => {
      const text = await readFile(new URL(path, root), 'utf8');
      return [createHash('sha256').update(text).digest('hex'), JSON.stringify(parse(text))];
    }),
  );
  return `
/** SHA-256 of the text of an adapter -> its value as JSON. */
export const BUILT_ADAPTERS: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(entries), null, 2)};
`;
}
