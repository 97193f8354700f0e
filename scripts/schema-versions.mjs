// Records the digest of every schema under its own x-version in schemas/versions.json; a test
// compares them. A schema that changed needs a new x-version. --rewrite replaces digests of
// recorded versions: only before they were released.
import { glob, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { schemaDigest } from './lib/schema-digest.mjs';

const folder = new URL('../schemas/', import.meta.url);
const table = new URL('versions.json', folder);
const isRewrite = process.argv.includes('--rewrite');
const recorded = JSON.parse(await readFile(table, 'utf8').catch(() => '{}'));
const names = (await Array.fromAsync(glob('**/*.schema.json', { cwd: fileURLToPath(folder) })))
  .map((name) => name.replaceAll('\\', '/'))
  .sort();
const next = {};
const refused = [];
for (const name of names) {
  const schema = JSON.parse(await readFile(new URL(name, folder), 'utf8'));
  const version = schema['x-version'];
  const digest = schemaDigest(schema);
  const before = recorded[name] ?? {};
  if (before[version] !== undefined && before[version] !== digest && !isRewrite)
    refused.push(`${name} changed: give it another x-version than ${version}`);
  next[name] = { ...before, [version]: digest };
}
if (refused.length > 0) {
  console.error(refused.join('\n'));
  process.exitCode = 1;
} else {
  await writeFile(table, `${JSON.stringify(next, null, 2)}\n`);
}
