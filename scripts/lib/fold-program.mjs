// Folds the program into few files: dist/program. Its layout is that of dist, so that its doors lie
// beside it as they lie beside the unfolded modules.
import { rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Where the program is entered: its start, its help, the doors that plugins import, and a process
 * of its own. File below dist/program -> module below dist. All lie one folder deep, as the parts
 * do.
 */
const ENTRIES = {
  'boot/main': 'boot/main',
  'cli/kit-help': 'cli/kit-help',
  'doctor/crash-process': 'boot/doctor/crash-process',
  'sdk/plugin': 'sdk/plugin',
  'sdk/command': 'sdk/command',
  'sdk/testing': 'sdk/testing',
};

/**
 * `profiles`: name of a usual command -> paths of the modules that it loads. Modules that the same
 * commands load become one file; what none of them loads stays apart, and is loaded when it is
 * used. `folds` says which packages are folded in, with what they bring along themselves. `doors`
 * are files that are folded by themselves, with what lies behind each. `modules.json` tells which
 * modules lie in which file. Gives the paths of all that was folded.
 */
export async function foldProgram({ dist, profiles, folds, doors }) {
  const program = join(dist, 'program');
  const pathOf = (id) => relative(program, id);
  await rm(program, { recursive: true, force: true });
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(ENTRIES).map(([file, module]) => [file, join(dist, `${module}.js`)])),
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
    // Names and order stay, so that a stack still says where; only the blanks between go.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
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
    return doors.get(found?.id) ?? found;
  },
});

const URL_OR_BESIDE = /new URL\(\s*(['"])([^'"]+)\1,\s*import\.meta\.url\s*\)|import\.meta\.url/g;

/**
 * A module that finds files beside itself finds them from wherever it is folded to; those that are
 * folded as well, where they are.
 */
const originalUrls = (dist) => ({
  name: 'original-urls',
  transform(code, id) {
    if (!id.startsWith(join(dist, '/')) || !code.includes('import.meta.url')) return null;
    const original = `new URL(${JSON.stringify(`../../${relative(dist, id)}`)}, import.meta.url).href`;
    const entries = new Map(Object.entries(ENTRIES).map(([file, module]) => [join(dist, `${module}.js`), file]));
    return code.replaceAll(URL_OR_BESIDE, (text, _, path) => {
      if (path === undefined) return original;
      const file = entries.get(join(dirname(id), path));
      return file === undefined
        ? text.replace('import.meta.url', original)
        : `new URL('../${file}.js', import.meta.url)`;
    });
  },
});
