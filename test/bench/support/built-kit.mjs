import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ms } from './figures.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const BIN = at('../../../bin/kit.js');
const SERVER = at('kit-server.mjs');
const COST = pathToFileURL(at('report-cost.mjs')).href;
const REPEATS = 3;
const MOST_OUTPUT_BYTES = 512 * 1024 ** 2;

/** A run of many turns ends at no bound. */
export const LONG_ENV = {
  KIT_MOCK_DELEGATE: '1',
  KIT_MAX_TOOL_TURNS: '4000',
  KIT_MAX_DELEGATIONS_PER_CHILD: '4000',
};

/** Processor time, memory and wall time of one command of the built CLI: the least of some. */
export function kit({ directory, env }, argv, { once: isOnce = false, exits = [0] } = {}) {
  const file = join(directory, 'cost.jsonl');
  const costs = Array.from({ length: isOnce ? 1 : REPEATS }, () => {
    rmSync(file, { force: true });
    const startedMs = performance.now();
    const { status, stderr, stdout } = spawnSync(process.execPath, ['--import', COST, BIN, ...argv], {
      cwd: directory,
      env: { PATH: process.env.PATH, HOME: directory, KIT_BENCH_COST: file, ...env },
      encoding: 'utf8',
      maxBuffer: MOST_OUTPUT_BYTES,
    });
    if (!exits.includes(status)) throw new Error(`kit ${argv.join(' ')} ended with ${status}: ${stderr || stdout}`);
    const wallMs = performance.now() - startedMs;
    return { ...JSON.parse(readFileSync(file, 'utf8').trim().split('\n').at(-1)), wallMs, stdout };
  });
  return costs.reduce((least, cost) => (cost.cpuMs < least.cpuMs ? cost : least));
}

export function costOf({ cpuMs, rssMb, wallMs }) {
  return `${ms(cpuMs, 0)}, ${rssMb.toFixed(0)} MB; ${ms(wallMs, 0)} of time`;
}

/** `kit serve` of a directory in a process of its own. `cost` is taken after a collection. */
export async function serve({ directory, env }) {
  const child = spawn(process.execPath, ['--expose-gc', SERVER, directory], {
    env: { PATH: process.env.PATH, HOME: directory, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { url } = JSON.parse((await lines.next()).value);
  return {
    url,
    cost: async () => {
      child.stdin.write('\n');
      return JSON.parse((await lines.next()).value);
    },
    peakMb: () => Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024,
    stop: async () => {
      child.stdin.end();
      await once(child, 'close');
    },
  };
}
