// Lists every plugins/* in the root's dependencies and bundleDependencies. Run it after adding a
// plugin, then `npm install`.
import { glob, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url);
const readJson = async (path) => JSON.parse(await readFile(new URL(path, root), 'utf8'));
const files = await Array.fromAsync(glob('plugins/*/package.json', { cwd: fileURLToPath(root) }));
const plugins = await Promise.all(files.sort().map(readJson));
const pjson = await readJson('package.json');
const others = Object.entries(pjson.dependencies).filter(([name]) => !name.startsWith('@kit-run/plugin-'));
pjson.dependencies = Object.fromEntries(
  [...others, ...plugins.map(({ name, version }) => [name, version])].sort(([a], [b]) => (a < b ? -1 : 1)),
);
pjson.bundleDependencies = plugins.map(({ name }) => name).sort();
await writeFile(new URL('package.json', root), `${JSON.stringify(pjson, null, 2)}\n`);
