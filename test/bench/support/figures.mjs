import { appendFileSync, closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadavg } from 'node:os';
import { join } from 'node:path';

const NAME_COLUMNS = 52;

/** The middle one; of an even number the mean of the two in the middle. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * A line of figures; `bar` says what is asked, `holds` whether it is met. Whoever started the bench
 * reads it in the file that KIT_BENCH_FIGURES names, a line of JSON for each.
 */
export function show(name, value, { bar, holds } = {}) {
  const verdict = bar === undefined ? '' : `   bar ${bar}: ${holds ? 'holds' : 'MISSED'}`;
  console.log(`${name.padEnd(NAME_COLUMNS)} ${value}${verdict}`);
  if (bar !== undefined && !holds) process.exitCode = 1;
  const path = process.env.KIT_BENCH_FIGURES;
  const figure = { name, value, bar: bar === undefined ? null : { text: bar, holds } };
  if (path !== undefined) appendFileSync(path, `${JSON.stringify(figure)}\n`);
}

export const ms = (value, digits = 2) => `${value.toFixed(digits)} ms`;
export const loadNow = () => `load ${loadavg()[0].toFixed(2)}`;

/** Processor time of this process so far. */
export function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export async function timed(work) {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/**
 * Milliseconds of one appended page that is on the disk, in this directory: the floor of a durable
 * commit.
 */
export function syncedPageMs(directory, times = 300) {
  const file = openSync(join(directory, 'bare-page'), 'w');
  const page = Buffer.alloc(4096, 1);
  const took = [];
  for (let n = 0; n < times; n++) {
    const startedMs = performance.now();
    writeSync(file, page);
    fdatasyncSync(file);
    took.push(performance.now() - startedMs);
  }
  closeSync(file);
  return median(took);
}

/**
 * Milliseconds of one request to an HTTP server of this process that answers at once, over a
 * connection kept open.
 */
export async function httpRoundTripMs(times = 200) {
  const server = createServer((_, response) => response.end('ok'));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}/`;
  const took = [];
  for (let n = 0; n < times; n++) took.push(await timed(async () => (await fetch(url)).text()));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return median(took);
}
