/**
 * The thread of `openWatch`. Run from `dist` as JavaScript, and from `src` (tests) by Node's own
 * type stripping: hence no syntax that needs compiling, and no import of this project but of types.
 */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { WatchWork } from './watch.js';

/**
 * Counted, not measured: a process that was stopped, or a machine that slept, stops the count as
 * well.
 */
const TICK_MS = 1_000;

const { cells, plugins, blockedMs } = workerData as WatchWork; // what `openWatch` sends
let seen = -1;
let ticks = 0;

function endProcess(): void {
  const inCall = plugins.filter((_plugin, index) => Atomics.load(cells, index + 1) > 0);
  const [names, what] = inCall.length > 0 ? [inCall, 'in call'] : [plugins, 'loaded'];
  const seconds = Math.round(blockedMs / 1_000);
  writeSync(
    2,
    `error[KIT_PLUGIN_CRASHED]: nothing went on in this process for ${seconds} s; ${what}: ${names.join(', ')}\n` +
      '  hint: Report it to the author of the plugin; runs continue in the next process.\n',
  );
  // The loop cannot be asked for anything, and a thread ends no process in another way.
  process.kill(process.pid, 'SIGKILL');
}

setInterval(() => {
  const beat = Atomics.load(cells, 0);
  ticks = beat === seen ? ticks + 1 : 0;
  seen = beat;
  if (ticks * TICK_MS >= blockedMs) endProcess();
}, TICK_MS);
