// What a change costs: `npm run footprint`. Applies the sample changes of scripts/footprint/ to a
// copy of the checkout, runs the generators and the build there, runs the tests that the changes
// bring along, and counts the files that were written by hand. Then lines of code beside those of
// the commit from which on the house is made leaner. `--lines`: the lines alone.
// Exit code 1 when a bar is missed or a patch does not apply any more.
import '../test/support/processes-typescript.mjs';
import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { byPlace, codeAt, medianOf, totalOf } from './lib/code-lines.mjs';
import { filesOf, patchPath, refusalOf, SAMPLES, sorted } from './lib/footprint.mjs';
import { runNode } from './lib/phases.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The parent of the first step of the leaner house. */
const BASE = '21671560';
const MOST_LINES_OF_A_FILE = 300;
const MEDIAN = [50, 80];

const git = (cwd, ...args) =>
  execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 * 1024 ** 2 });

/** Made from what is there; a generator that fails fails the whole. */
const GENERATORS = [
  ['scripts/build.mjs'],
  ['scripts/schema-versions.mjs'],
  ['scripts/kind-pages.mjs'],
  ['scripts/commands-page.mjs'],
];

async function generate(copy) {
  for (const args of GENERATORS) if (!(await runNode({ cwd: copy, args }))) throw new Error(`${args[0]} failed`);
}

/** Paths that differ from the last commit of the copy. */
const changedIn = (copy) =>
  new Set(
    git(copy, 'status', '--porcelain', '-z', '-uall')
      .split('\0')
      .filter(Boolean)
      .map((row) => row.slice(3)),
  );

/** A repository of its own, so that git tells what was written after which step. */
function record(copy, title) {
  git(copy, 'add', '-A');
  git(copy, '-c', 'user.name=kit', '-c', 'user.email=kit@localhost', 'commit', '-q', '--no-verify', '-m', title);
}

async function samples() {
  const refused = SAMPLES.flatMap(({ name }) => {
    const why = refusalOf(root, name);
    return why === null ? [] : [`${name}.patch does not apply: ${why}`];
  });
  if (refused.length > 0) throw new Error(refused.join('\n'));
  const { copyCheckout } = await import('../test/support/checkout-copy.ts');
  const copy = await copyCheckout();
  try {
    git(copy, 'init', '-q');
    record(copy, 'the checkout');
    for (const { name } of SAMPLES) git(copy, 'apply', patchPath(root, name));
    record(copy, 'the sample changes');
    await generate(copy);
    const generated = changedIn(copy);
    const changes = await Promise.all(
      SAMPLES.map(async (sample) => ({ ...sample, ...sorted(await filesOf(root, sample.name), generated) })),
    );
    const tests = changes.flatMap((change) => change.tests);
    const args = ['node_modules/vitest/vitest.mjs', 'run', ...tests, '--reporter=default'];
    const passed = await runNode({ cwd: copy, args });
    return { changes, generated: [...generated].sort(), passed };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

const row = (cells) =>
  `${cells[0].padEnd(58)} ${String(cells[1]).padStart(8)} ${String(cells[2]).padStart(8)}  ${cells[3]}`;
const verdict = (isHeld) => (isHeld ? 'ok' : 'MISSED');

/** Prints the table of the sample changes; false = a bar is missed. */
async function showSamples() {
  const { changes, generated, passed } = await samples();
  console.log(`\n${row(['files written by hand', 'files', 'bar', ''])}`);
  const held = changes.map(({ says, hand, atMost, besides }) => {
    const count = hand.length - besides;
    console.log(row([says, count, `<= ${atMost}`, verdict(count <= atMost)]));
    for (const path of hand) console.log(`  ${path}`);
    return count <= atMost;
  });
  console.log(`written by generators: ${generated.join(', ')}`);
  console.log(`tests of the changes: ${passed ? 'passed' : 'FAILED'}\n`);
  return passed && held.every(Boolean);
}

/** Prints the lines of code; false = a bar is missed. */
function showLines() {
  const now = codeAt(root, 'HEAD');
  const long = now.filter(({ lines }) => lines > MOST_LINES_OF_A_FILE);
  const median = medianOf(now);
  const isMedian = median >= MEDIAN[0] && median <= MEDIAN[1];
  console.log(row(['lines, without comments, blanks, generated files', 'now', 'bar', '']));
  console.log(row(['files', now.length, '', '']));
  console.log(row(['median of a file, all lines', median, MEDIAN.join('-'), verdict(isMedian)]));
  console.log(row([`files of more than ${MOST_LINES_OF_A_FILE} lines`, long.length, '0', verdict(long.length === 0)]));
  for (const { path, lines } of long) console.log(`  ${path} ${lines}`);
  const total = totalOf(now);
  const before = baseLines();
  if (before === null) {
    console.log(row(['lines of code', total, '', `${BASE} is not in this clone: nothing to compare with`]));
    return isMedian && long.length === 0;
  }
  const then = totalOf(before);
  console.log(row(['lines of code', total, then, `${((total / then) * 100).toFixed(1)} % of ${BASE}`]));
  const [places, earlier] = [byPlace(now), byPlace(before)];
  for (const place of new Set([...places.keys(), ...earlier.keys()])) {
    const change = (places.get(place) ?? 0) - (earlier.get(place) ?? 0);
    if (change !== 0)
      console.log(
        `  ${place.padEnd(24)} ${String(places.get(place) ?? 0).padStart(7)} ${change > 0 ? '+' : ''}${change}`,
      );
  }
  return isMedian && long.length === 0;
}

function baseLines() {
  try {
    return codeAt(root, git(root, 'rev-parse', '--verify', `${BASE}^{commit}`).trim());
  } catch {
    return null;
  }
}

const isWhole = !process.argv.includes('--lines');
try {
  const results = [isWhole ? await showSamples() : true, showLines()];
  process.exitCode = results.every(Boolean) ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
