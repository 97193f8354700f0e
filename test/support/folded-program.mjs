// Folds a program of the tests, with the sources that it runs, into one file of plain JavaScript: a
// process of it starts without looking for hundreds of modules and without reading TypeScript.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { packageOf, WRITING } from '../../scripts/lib/fold-program.mjs';
import { inAscii } from '../../scripts/lib/light-files.mjs';
import { digestOf } from '../../scripts/lib/stamp.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Among the packages that it imports. */
const FOLDER = join(root, 'node_modules/.cache/test-programs');

/** By its path below the root; the sources stay as they are while tests run. */
const folded = new Map();

/** The path of the folded program; `path` is that of its source, from the root. */
export function foldedProgram(path) {
  const known = folded.get(path) ?? fold(path);
  folded.set(path, known);
  return known;
}

/** Everything that a program of the tests may import, from the root. */
async function sources() {
  const plugins = await readdir(join(root, 'plugins'));
  return ['src', 'test/support', ...plugins.toSorted().map((name) => `plugins/${name}/src`)];
}

/** Variables of a process of such a program: what was compiled once is there for all of them. */
export const compileCache = () => ({
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'kit-crash-compile-cache'),
});

/** What plugins import of kit. */
const SDK = ['plugin', 'command', 'testing'];

const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** What the program of kit finds beside it, too: every other library is folded in. */
const installed = new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies)]);

async function fold(path) {
  const digest = await digestOf(root, [...(await sources()), 'package-lock.json']);
  const file = join(FOLDER, `${basename(path, '.ts')}-${digest.slice(0, 16)}.mjs`);
  if (existsSync(file)) return file;
  const bundle = await rolldown({
    input: join(root, path),
    platform: 'node',
    resolve: {
      extensionAlias: { '.js': ['.ts', '.tsx', '.js'] },
      alias: {
        ...Object.fromEntries(SDK.map((name) => [`@kit-run/kit/${name}`, join(root, `src/sdk/${name}.ts`)])),
        '@kit-run/kit/text': join(root, 'src/text'),
      },
    },
    transform: { target: 'esnext' },
    external: (id) => /^[^./\0]/.test(id) && installed.has(packageOf(id)),
    plugins: [originalUrls],
    checks: { ineffectiveDynamicImport: false },
  });
  // Whole or not at all: others may fold the same.
  const mine = `${file}.${process.pid}.mjs`;
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false, ...WRITING });
  await bundle.close();
  await mkdir(FOLDER, { recursive: true });
  await writeFile(mine, inAscii(new Map([[mine, output[0].code]])).get(mine) ?? output[0].code);
  await rename(mine, file);
  return file;
}

/**
 * What lies beside a source is found beside it: where it is built beside what was built of it, for
 * the small programs that it starts are there at once as plain JavaScript.
 */
const originalUrls = {
  name: 'original-urls',
  transform: (code, id) =>
    code.includes('import.meta.url')
      ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(builtOf(id)).href))
      : null,
};

function builtOf(id) {
  const built = join(root, relative(root, id).replace(/^(plugins\/[^/]+\/)?src\//, '$1dist/')).replace(/\.ts$/, '.js');
  return existsSync(built) ? built : id;
}
