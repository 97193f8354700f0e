// The bench, one command: `npm run bench [-- NAME...]`. Every *.bench.mjs of this folder, one after another, each in a process of its
// own; with names, only those whose file name begins with one. `--list` names them. Exit 1 when a bar is missed, 2 when one cannot run.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inDirectory } from './support/directory.mjs';
import { httpRoundTripMs, loadNow, median, ms, show, syncedPageMs, timed } from './support/figures.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SUFFIX = '.bench.mjs';
const NODE_STARTS = 9;

const wanted = process.argv.slice(2);
const benches = readdirSync(HERE)
  .filter((name) => name.endsWith(SUFFIX))
  .map((name) => name.slice(0, -SUFFIX.length))
  .sort();

if (wanted.includes('--list')) console.log(benches.join('\n'));
else process.exitCode = await main();

async function main() {
  const chosen = wanted.length === 0 ? benches : benches.filter((name) => wanted.some((start) => name.startsWith(start)));
  if (chosen.length === 0) {
    console.error(`there is no bench ${wanted.join(', ')}; there are ${benches.join(', ')}`);
    return 2;
  }
  if (!prepare()) return 2;
  await calibrate();
  const missed = chosen.filter((name) => !run(name));
  console.log(missed.length === 0 ? '\nevery bar holds' : `\nmissed, or could not run: ${missed.join(', ')}`);
  return missed.length === 0 ? 0 : 1;
}

/** Generated code, and the peers: they are installed here alone, and only for whoever runs the bench. */
function prepare() {
  const built = existsSync(join(ROOT, 'dist')) || call('npm', ['run', '--silent', 'build'], ROOT);
  return built && (isInstalled() || call('npm', ['ci'], HERE));
}

function isInstalled() {
  const marker = join(HERE, 'node_modules', '.package-lock.json');
  return existsSync(marker) && statSync(marker).mtimeMs >= statSync(join(HERE, 'package-lock.json')).mtimeMs;
}

/** What this machine costs anybody: figures beside these can be compared with those of another one. */
async function calibrate() {
  const starts = [];
  for (let n = 0; n < NODE_STARTS; n++) starts.push(await timed(async () => call(process.execPath, ['-e', '0'], HERE)));
  const synced = await inDirectory(async (directory) => syncedPageMs(directory));
  console.log(`Node.js ${process.version}, ${cpus().length} processors, ${loadNow()}`);
  show('calibration: a bare start of node', ms(median(starts), 1));
  show('calibration: a synced page', ms(synced));
  show('calibration: an HTTP round trip', ms(await httpRoundTripMs()));
}

function run(name) {
  console.log(`\n${name}`);
  return call(process.execPath, [join(HERE, `${name}${SUFFIX}`)], ROOT);
}

function call(command, args, cwd) {
  return spawnSync(command, args, { cwd, stdio: 'inherit' }).status === 0;
}
