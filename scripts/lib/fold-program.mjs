// Folds the program into few files: dist/program. Its layout is that of dist, so that its doors lie
// beside it as they lie beside the unfolded modules.
import { rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { rolldown } from 'rolldown';

/** Where the program is entered: its start, its help, and the doors that plugins import. */
const ENTRIES = ['boot/main', 'cli/kit-help', 'sdk/plugin', 'sdk/command', 'sdk/testing'];

/**
 * `profiles`: name of a usual command -> paths of the modules that it loads. Modules that the same
 * commands load become one file; what none of them loads stays apart, and is loaded when it is
 * used. `folds` says which packages are folded in, with what they bring along themselves; `doors`
 * what lies behind a file that is folded by itself. `modules.json` tells which modules lie in which
 * file. Gives the paths of all that was folded.
 */
export async function foldProgram({ dist, profiles, folds, doors }) {
  const program = join(dist, 'program');
  const pathOf = (id) => relative(program, id);
  await rm(program, { recursive: true, force: true });
  const bundle = await rolldown({
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(dist, `${entry}.js`)])),
    platform: 'node',
    // Nothing is lowered: tsc has done it.
    transform: { target: 'esnext' },
    preserveEntrySignatures: 'allow-extension',
    // What one command loads late is at hand for another; that is no mistake.
    checks: { ineffectiveDynamicImport: false },
    external: (id, importer) => isExternal(id, importer, folds),
    plugins: [throughDoors(doors), originalUrls(dist)],
  });
  const { output } = await bundle.write({
    dir: program,
    format: 'esm',
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name]-[hash].js',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: 'loaded together', name: (id) => loadedBy(profiles, id) }],
    },
  });
  await bundle.close();
  const folded = output.map(({ fileName, moduleIds = [] }) => [fileName, moduleIds.filter(isAbsolute).map(pathOf)]);
  await writeFile(join(program, 'modules.json'), JSON.stringify(Object.fromEntries(folded)));
  return output.flatMap(({ moduleIds }) => moduleIds ?? []);
}

/** Only for commands in TypeScript, which nobody runs. */
const NEVER = /^(?:typescript|ts-node|tsx|pnpapi)(?:\/|$)/;
const packageOf = (id) => /^(?:@[^/]+\/)?[^/]+/.exec(id)[0];

function isExternal(id, importer, folds) {
  if (id.startsWith('node:') || NEVER.test(id)) return true;
  if (/^[./\0]/.test(id)) return false;
  // A library that is folded brings its own along.
  return importer?.includes('/node_modules/') !== true && !folds(packageOf(id));
}

function loadedBy(profiles, id) {
  const names = Object.keys(profiles).filter((name) => profiles[name].has(id));
  return names.length === 0 ? null : names.join('-');
}

/** What is folded by itself is folded here from what lies behind its door. */
const throughDoors = (doors) => ({
  name: 'through-doors',
  async resolveId(source, importer, options) {
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found !== null && doors.has(found.id) ? doors.get(found.id) : found;
  },
});

/** A module that finds files beside itself finds them from wherever it is folded to. */
const originalUrls = (dist) => ({
  name: 'original-urls',
  transform(code, id) {
    if (!id.startsWith(join(dist, '/')) || !code.includes('import.meta.url')) return null;
    const original = `new URL(${JSON.stringify(`../../${relative(dist, id)}`)}, import.meta.url).href`;
    return code.replaceAll('import.meta.url', original);
  },
});
