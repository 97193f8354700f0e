// Folds the program, the plugins of kit and the libraries that both use into few files:
// dist/program. Its layout is that of dist, so that its exports lie beside it as they lie beside
// the unfolded modules.
import { rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { inAscii, pastFacades, withBareBuiltins } from './light-files.mjs';

/** How folded files are written. */
export const WRITING = {
  comments: { legal: true, annotation: false, jsdoc: false },
  // Names and order stay, so that a stack still says where; only the blanks between go.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
};

/**
 * `profiles`: name of a usual command -> paths of the modules that it loads. Modules that the same
 * commands load become one file; what none of them loads stays apart, and is loaded when it is
 * used. `entries` says under which names the program is entered, `folds` which packages are folded
 * in, with what they bring along themselves. `modules.json` tells which modules lie in which file.
 * Gives the paths of all that was folded.
 */
export async function foldProgram({ root, entries, profiles, folds }) {
  const dist = join(root, 'dist');
  const program = join(dist, 'program');
  const pathOf = (id) => relative(program, id);
  await rm(program, { recursive: true, force: true });
  const bundle = await rolldown({
    input: Object.fromEntries(entries),
    platform: 'node',
    // Nothing is lowered: tsc has done it.
    transform: { target: 'esnext' },
    preserveEntrySignatures: 'allow-extension',
    // What one command loads late is at hand for another; that is not a mistake.
    checks: { ineffectiveDynamicImport: false },
    external: (id, importer) => isExternal(id, importer, folds),
    plugins: [throughExports(dist), originalUrls(root, entries)],
  });
  const { output } = await bundle.write({
    dir: program,
    format: 'esm',
    ...WRITING,
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name]-[hash].js',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: 'loaded together', name: (id) => loadedBy(profiles, id) }],
    },
  });
  await bundle.close();
  const chunks = output.filter(({ type }) => type === 'chunk');
  const light = inAscii(withBareBuiltins(pastFacades(new Map(chunks.map(({ fileName, code }) => [fileName, code])))));
  for (const { fileName } of chunks) {
    if (light.has(fileName)) await writeFile(join(program, fileName), light.get(fileName));
    else await rm(join(program, fileName));
  }
  const folded = chunks
    .filter(({ fileName }) => light.has(fileName))
    .map(({ fileName, moduleIds }) => [fileName, moduleIds.filter(isAbsolute).map(pathOf)]);
  await writeFile(join(program, 'modules.json'), JSON.stringify(Object.fromEntries(folded)));
  return output.flatMap(({ moduleIds }) => moduleIds ?? []);
}

/** Only for commands in TypeScript, which nobody runs. */
const NEVER = /^(?:typescript|ts-node|tsx|pnpapi)(?:\/|$)/;
/** The package that a bare specifier names: `@a/b/c` is of `@a/b`. */
export const packageOf = (id) => /^(?:@[^/]+\/)?[^/]+/.exec(id)[0];

function isExternal(id, importer, folds) {
  if (id.startsWith('node:') || NEVER.test(id)) return true;
  if (/^[./\0]/.test(id)) return false;
  // A library that is folded brings its own along.
  return importer?.includes('/node_modules/') !== true && !folds(packageOf(id));
}

function loadedBy(profiles, id) {
  const names = Object.keys(profiles).filter((name) => isLoaded(profiles[name], id));
  return names.length === 0 ? null : names.join('-');
}

/** What is not a code is not seen when it is loaded: it lies with the package that it is of. */
function isLoaded(modules, id) {
  if (modules.has(id)) return true;
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+\/).*\.json$/.exec(id) ?? [];
  return folder !== undefined && [...modules].some((module) => module.startsWith(folder));
}

/** Plugins of kit import its exports as anybody does; folded with it they share its modules. */
const throughExports = (dist) => ({
  name: 'through-exports',
  resolveId: (source) => {
    const [, name] = /^@kit-run\/kit\/(.+)$/.exec(source) ?? [];
    if (name === undefined) return null;
    return join(dist, name.startsWith('text/') ? `${name}.js` : `sdk/${name}.js`);
  },
});

const URL_OR_BESIDE = /new URL\(\s*(['"])([^'"]+)\1,\s*import\.meta\.url\s*\)|import\.meta\.url/g;

/**
 * A module that finds files beside itself finds them from wherever it is folded to; those that are
 * folded as well, where they are.
 */
function originalUrls(root, entries) {
  const files = new Map([...entries].map(([file, module]) => [module, file]));
  return {
    name: 'original-urls',
    transform(code, id) {
      if (!id.startsWith(root) || id.includes('/node_modules/') || !code.includes('import.meta.url')) return null;
      const original = `new URL(${JSON.stringify(`../../../${relative(root, id)}`)}, import.meta.url).href`;
      return code.replaceAll(URL_OR_BESIDE, (text, _, path) => {
        if (path === undefined) return original;
        const file = files.get(join(dirname(id), path));
        return file === undefined
          ? text.replace('import.meta.url', original)
          : `new URL('../${file}.js', import.meta.url)`;
      });
    },
  };
}
