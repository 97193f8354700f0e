// Resident memory of `kit worker`: with nothing to do, with fifty runs that wait for their models,
// and with fifty at a time that end one after another.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inDirectory } from './support/directory.mjs';
import { loadNow, show } from './support/figures.mjs';
import { openQueue } from './support/workers/kit-queue.mjs';
import { withPostgres } from './support/workers/postgres-server.mjs';
import { SLOTS, workerEnv, writeWorkersWorkspace } from './support/workers/workspace.mjs';

const KIT = fileURLToPath(new URL('../../bin/kit.js', import.meta.url));
const MB = 1e6;
const PAGE_BYTES = 4096;
const IDLE_MS = 5000;
const BUSY_MS = 15_000;

await inDirectory(async (directory) =>
  withPostgres(async (server) => {
    writeWorkersWorkspace(directory);
    const queue = await openQueue(directory, await server.database('kit'));
    const env = { ...process.env, ...workerEnv(directory, queue.url) };
    const worker = spawn(process.execPath, [KIT, 'worker', directory, '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    try {
      // Its first line tells that it works; what it says of each run is read and dropped.
      await new Promise((resolve, reject) =>
        worker.stdout.on('data', resolve).once('end', () => reject(new Error('kit worker ended'))),
      );
      const idle = await largest(worker.pid, IDLE_MS);
      show('kit worker, idle', `${idle.toFixed(0)} MB`, { bar: '<= 130 MB', holds: idle <= 130 });
      await queue.submit('waiting', SLOTS);
      const waiting = await largest(worker.pid, BUSY_MS);
      show(`kit worker, ${SLOTS} running jobs`, `${waiting.toFixed(0)} MB`, {
        bar: '<= 200 MB',
        holds: waiting <= 200,
      });
      await queue.submit('slow', SLOTS * Math.ceil(BUSY_MS / 1000));
      show(`kit worker, ${SLOTS} at a time, a second each`, `${(await largest(worker.pid, BUSY_MS)).toFixed(0)} MB`);
    } finally {
      worker.kill('SIGKILL');
      await ended;
      await queue.close();
    }
    console.log(loadNow());
  }),
);

/** The most it had in this time. */
async function largest(pid, forMs) {
  let most = 0;
  for (const untilMs = performance.now() + forMs; performance.now() < untilMs; ) {
    most = Math.max(most, Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return most / MB;
}
