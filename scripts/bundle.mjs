// Folds what a start would load in hundreds of small modules, each of which costs more time to find
// than to run: the program with the plugins of kit and their libraries
// (scripts/lib/fold-program.mjs), and by themselves the programs of plugins, what is started beside
// each harness, and the installer of plugins. The library of the latter would bring npm and yarn
// along as dependencies; without them it starts the npm of whoever calls it. The same sources run
// unfolded in tests.
import { glob, readFile, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { entriesOf } from './lib/entries.mjs';
import { foldProgram, packageOf, WRITING } from './lib/fold-program.mjs';
import { noticeOf } from './lib/notice.mjs';
import { leaveOutUnreached } from './lib/pack-list.mjs';
import { startProfiles } from './lib/start-profiles.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const { dependencies, peerDependencies } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
/** What npm installs beside kit, or people themselves. Every other package is folded in. */
const installed = new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies)]);

/** A program of its own in one file: own files are folded in, and every library but oclif. */
async function foldAlone(input, file) {
  const bundle = await rolldown({
    input: join(root, input),
    platform: 'node',
    external: (id) => id.startsWith('node:') || (!/^[./]/.test(id) && packageOf(id) === '@oclif/core'),
  });
  const { output } = await bundle.write({ file: join(root, file), format: 'esm', codeSplitting: false, ...WRITING });
  await bundle.close();
  return output.flatMap(({ moduleIds }) => moduleIds ?? []);
}

/**
 * A small program of kit's own that is started often and must be there at once: one CommonJS file,
 * which Node starts without its loader of modules.
 */
async function foldSmall(input) {
  const file = input.replace(/\.js$/, '.cjs');
  const bundle = await rolldown({
    input: join(root, input),
    platform: 'node',
    // What runs from the sources alone stays a word.
    external: /^node:|\.ts$/,
    // Nothing is lowered: tsc has done it.
    transform: {
      target: 'esnext',
      define: { 'import.meta.filename': JSON.stringify(file), 'import.meta.dirname': '"."' },
    },
  });
  await bundle.write({ file: join(root, file), format: 'cjs', codeSplitting: false, ...WRITING });
  await bundle.close();
}

/** The export for pages: one file, with nothing of Node in it, or the build fails. */
async function foldForPages(input, file) {
  const bundle = await rolldown({
    input: join(root, input),
    platform: 'browser',
    plugins: [
      {
        name: 'nothing-of-node',
        resolveId: (id, from) => {
          if (isBuiltin(id)) throw new Error(`${file} would need ${id}, by ${from}`);
        },
      },
    ],
  });
  const { output } = await bundle.write({ file: join(root, file), format: 'esm', codeSplitting: false, ...WRITING });
  await bundle.close();
  return output.flatMap(({ moduleIds }) => moduleIds ?? []);
}

const installer = 'dist/host/install/plugin-plugins';
// A program of a plugin, which an adapter starts by its path, is `main.js` of a folder; it imports
// `program.js` and nothing else, so that one can stand for the other.
const mains = await Array.fromAsync(glob('plugins/*/dist/*/main.js', { cwd: root }));
const alone = [
  await foldAlone(`${installer}-child.js`, `${installer}-entry.js`),
  ...(await Promise.all(mains.map((main) => foldAlone(join(dirname(main), 'program.js'), main)))),
];
const small = await Array.fromAsync(glob('plugins/*/dist/**/*-process.js', { cwd: root }));
await Promise.all(['dist/system/processes/supervisor.js', ...small].map(foldSmall));
const program = await foldProgram({
  root,
  entries: await entriesOf(root),
  profiles: await startProfiles({ root }),
  // Kit itself and its plugins run with a copy of oclif that lies among their own modules.
  folds: (name) => name === '@oclif/core' || !installed.has(name),
});
alone.push(await foldForPages('dist/sdk/view.js', 'dist/program/sdk/view.js'));
const pages = JSON.parse(await readFile(join(root, 'plugins/console/dist/web-modules.json'), 'utf8'));
const folded = [...alone.flat(), ...program, ...pages.map((path) => join(root, path))];
await writeFile(`${root}NOTICE`, await noticeOf(folded));
await leaveOutUnreached(root);
