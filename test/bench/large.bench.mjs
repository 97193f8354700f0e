// What is large by itself, in a store that is small: an image of 50 MB that a run is given, 500
// triggers, a workspace of 2,000 artifacts that a server reads anew, and the stream of a run of
// 100,000 events. The built CLI and `kit serve`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { writeBigWorkspace } from '../support/big-workspace.mjs';
import { costOf, kit, LONG_ENV, serve } from './support/built-kit.mjs';
import { writeChainWorkspace } from './support/chain-workspace.mjs';
import { inDirectory } from './support/directory.mjs';
import { loadNow, ms, show } from './support/figures.mjs';
import { growStore } from './support/grow-store.mjs';

const MB = 1024 ** 2;
const IMAGE_MB = 50;
const TRIGGERS = 500;
const ARTIFACTS = 2000;
const RELOADS = 16;
/** Four events a turn. */
const TURNS = 25_000;

console.log(`each in a workspace of its own; ${loadNow()}`);
const parts = { image, triggers, reload, stream };
for (const [name, work] of Object.entries(parts)) await inDirectory((directory) => work(place(join(directory, name))));

function place(directory) {
  mkdirSync(directory, { recursive: true });
  writeChainWorkspace(directory);
  return { directory, env: {} };
}

function write({ directory }, path, value) {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof value === 'object' && !Buffer.isBuffer(value) ? JSON.stringify(value) : value);
}

/** The beginning of a PNG of 1,000 by 1,000, and then what no eye looks at. */
function image(where) {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452000003e8000003e80806000000', 'hex');
  write(where, 'large.png', Buffer.concat([head, Buffer.alloc(IMAGE_MB * MB - head.length, 7)]));
  const roomy = { ...where, env: { KIT_ATTACHMENT_MAX_BYTES: String(IMAGE_MB * MB) } };
  const run = kit(roomy, ['run', 'chain', '--input', 'x', '--attach', 'large.png', '--json'], { once: true });
  show(`kit run with an image of ${IMAGE_MB} MB`, costOf(run));
  show(`kit status of a store that holds it`, costOf(kit(roomy, ['status'])));
  show(`kit report of its run`, costOf(kit(roomy, ['report', '--output', 'run.html', '--force'])));
}

async function triggers(where) {
  const one = (n) => ({
    apiVersion: 'kit/v1',
    kind: 'Trigger',
    metadata: { id: `t${n}`, name: `T${n}` },
    type: 'cron',
    config: { expression: `${n % 60} 3 * * *`, timezone: 'UTC', input: 'x' },
    targets: ['chain'],
  });
  const servedMb = async () => {
    const startedMs = performance.now();
    const server = await serve(where);
    const startMs = performance.now() - startedMs;
    const { heapBytes } = await server.cost();
    await server.stop();
    return { startMs, heapMb: heapBytes / MB };
  };
  write(where, 'triggers/t0.yaml', one(0));
  const few = await servedMb();
  for (let n = 1; n < TRIGGERS; n++) write(where, `triggers/t${n}.yaml`, one(n));
  const many = await servedMb();
  show(`kit serve with 1 and ${TRIGGERS} triggers, start`, `${ms(few.startMs, 0)}, ${ms(many.startMs, 0)}`);
  show('heap of them after a collection', `${few.heapMb.toFixed(1)} MB, ${many.heapMb.toFixed(1)} MB`);
  show('kit triggers list', costOf(kit(where, ['triggers', 'list'])));
}

async function reload(where) {
  rmSync(where.directory, { recursive: true });
  writeBigWorkspace(where.directory, ARTIFACTS);
  const server = await serve(where);
  const startMb = server.peakMb();
  const took = [];
  const heapMb = async () => (await server.cost()).heapBytes / MB;
  const atStartMb = await heapMb();
  for (let n = 0; n < RELOADS; n++) {
    const startedMs = performance.now();
    const answer = await fetch(`${server.url}/reload`, { method: 'POST' });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`POST /reload answered ${answer.status}`);
    took.push(performance.now() - startedMs);
  }
  show(`POST /reload of ${ARTIFACTS} artifacts`, ms(Math.min(...took), 0));
  show('memory of the server, at its start and at most', `${startMb.toFixed(0)} MB, ${server.peakMb().toFixed(0)} MB`);
  // Limits of time that have not passed hold the last readings for some seconds.
  await delay(8000);
  show(
    `heap of it after a collection, before and after ${RELOADS} reloads`,
    `${atStartMb.toFixed(0)} MB, ${(await heapMb()).toFixed(0)} MB`,
  );
  await server.stop();
}

async function stream(where) {
  for (const name of ['chain', 'chain', 'long'])
    kit({ ...where, env: LONG_ENV }, ['run', name, '--input', 'x', '--quiet'], {
      once: true,
    });
  const longId = growStore(join(where.directory, '.kit', 'store.sqlite'), { runs: 10, days: 1, turns: TURNS });
  const server = await serve(where);
  const beforeMb = server.peakMb();
  const startedMs = performance.now();
  const answer = await fetch(`${server.url}/jobs/${longId}/stream`);
  let [bytes, frames] = [0, 0];
  for await (const part of answer.body) {
    const chunk = Buffer.from(part);
    bytes += chunk.length;
    for (let at = chunk.indexOf('\n\n'); at !== -1; at = chunk.indexOf('\n\n', at + 2)) frames += 1;
  }
  const tookMs = performance.now() - startedMs;
  show(
    `GET /jobs/{id}/stream of ${4 * TURNS} events`,
    `${ms(tookMs, 0)}, ${frames} frames, ${(bytes / MB).toFixed(0)} MiB`,
  );
  show('memory of the server, before and at most', `${beforeMb.toFixed(0)} MB, ${server.peakMb().toFixed(0)} MB`);
  await server.stop();
}
