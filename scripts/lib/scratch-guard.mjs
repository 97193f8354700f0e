// argv: a directory; stdin: process ids, one a line. When stdin ends, because its writer closed it
// or died, the processes end and the directory goes.
import { rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';

const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 50;

function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false; // It has ended.
  }
}

async function end(pid) {
  if (!signal(pid, 'SIGTERM')) return;
  const untilMs = performance.now() + PATIENCE_MS;
  while (signal(pid, 0) && performance.now() < untilMs) await setTimeout(LOOK_EVERY_MS);
  signal(pid, 'SIGKILL');
}

const pids = (await text(process.stdin)).split('\n').filter(Boolean).map(Number);
await Promise.all(pids.map(end));
// What those processes had started ends a little later, and may still write.
await rm(process.argv[2], { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
