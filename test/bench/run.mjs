// The bench, one command: `npm run bench [-- NAME...]`. Every *.bench.mjs of this folder, one after
// another, each in a process of its own; with names, only those whose file name begins with one.
// `all` takes every one of them, or those that are named beside it, and writes their figures into
// docs/performance.md. `--list` names them. Exit 1 when a bar is missed, 2 when one cannot run.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inDirectory } from './support/directory.mjs';
import { httpRoundTripMs, loadNow, median, ms, show, syncedPageMs, timed } from './support/figures.mjs';
import { textOf, withFigures } from './support/performance-page.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = join(ROOT, 'docs', 'performance.md');
const SUFFIX = '.bench.mjs';
const NODE_STARTS = 9;

const words = process.argv.slice(2);
const writes = words.includes('all');
const wanted = words.filter((word) => word !== 'all');
const benches = readdirSync(HERE)
  .filter((name) => name.endsWith(SUFFIX))
  .map((name) => name.slice(0, -SUFFIX.length))
  .sort();

if (wanted.includes('--list')) console.log(benches.join('\n'));
else process.exitCode = await main();

async function main() {
  const chosen =
    wanted.length === 0 ? benches : benches.filter((name) => wanted.some((start) => name.startsWith(start)));
  if (chosen.length === 0) {
    console.error(`there is no bench ${wanted.join(', ')}; there are ${benches.join(', ')}`);
    return 2;
  }
  if (!prepare()) return 2;
  await calibrate();
  const missed = chosen.filter((name) => !take(name));
  console.log(missed.length === 0 ? '\nevery bar holds' : `\nmissed, or could not run: ${missed.join(', ')}`);
  return missed.length === 0 ? 0 : 1;
}

/**
 * Generated code, and the peers: they are installed here alone, and only for whoever runs the
 * bench.
 */
function prepare() {
  const built = existsSync(join(ROOT, 'dist')) || call('npm', ['run', '--silent', 'build'], ROOT);
  return built && (isInstalled() || call('npm', ['ci'], HERE));
}

function isInstalled() {
  const marker = join(HERE, 'node_modules', '.package-lock.json');
  return existsSync(marker) && statSync(marker).mtimeMs >= statSync(join(HERE, 'package-lock.json')).mtimeMs;
}

/**
 * What this machine costs anybody: figures beside these can be compared with those of another one.
 */
async function calibrate() {
  const starts = [];
  for (let n = 0; n < NODE_STARTS; n++) starts.push(await timed(async () => call(process.execPath, ['-e', '0'], HERE)));
  const synced = await inDirectory(async (directory) => syncedPageMs(directory));
  console.log(`Node.js ${process.version}, ${cpus().length} processors, ${loadNow()}`);
  show('calibration: a bare start of node', ms(median(starts), 1));
  show('calibration: a synced page', ms(synced));
  show('calibration: an HTTP round trip', ms(await httpRoundTripMs()));
}

/** Runs a bench; with `all`, what it shows is in the page when it ends, whatever comes after it. */
function take(name) {
  console.log(`\n${name}`);
  const path = join(tmpdir(), `kit-bench-figures-${process.pid}`);
  const load = loadavg()[0].toFixed(1);
  const program = ['--expose-gc', join(HERE, `${name}${SUFFIX}`)];
  const holds = call(process.execPath, program, ROOT, { KIT_BENCH_FIGURES: path });
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
  rmSync(path, { force: true });
  if (writes && lines.length > 0)
    write(
      name,
      lines.map((line) => ({ ...JSON.parse(line), ...taken(load) })),
    );
  return holds;
}

/** When figures were taken; `+`: with changes that are not committed. */
function taken(load) {
  const git = (...args) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
  const changed = git('status', '--porcelain', '--', 'src', 'plugins', 'test/bench', 'package.json');
  const commit = `${git('rev-parse', '--short=8', 'HEAD')}${changed === '' ? '' : '+'}`;
  return { commit, load, day: new Date().toISOString().slice(0, 10) };
}

function write(name, figures) {
  const named = benches.map((bench) => ({
    name: bench,
    text: textOf(readFileSync(join(HERE, `${bench}${SUFFIX}`), 'utf8')),
  }));
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(PAGE, withFigures(page, { benches: named, taken: new Map([[name, figures]]) }));
}

function call(command, args, cwd, env = {}) {
  return spawnSync(command, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } }).status === 0;
}
