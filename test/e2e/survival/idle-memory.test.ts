import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { startServe } from '../../support/http/serve-process.js';
import { talk } from '../workspaces.js';
import { makeWorld } from '../world.js';

/** The bar of the project. A server that nobody asks anything takes 104 to 109 MB. */
const MAX_BYTES = 115_000_000;

// Coverage keeps the counts of every function that was loaded.
it.skipIf(process.platform !== 'linux' || process.env.NODE_V8_COVERAGE !== undefined)(
  'an idle server takes at most 115 MB',
  async () => {
    const world = await makeWorld();
    onTestFinished(() => world.dispose());
    const start = async () => {
      const server = await startServe([world.files('idle', talk())], world.env);
      onTestFinished(() => server.kill('SIGKILL'));
      await expect.poll(async () => (await fetch(`${server.url}/health`)).status).toBe(200);
      return server;
    };
    // The first start of a build compiles it, and keeps what that took: some 5 MB.
    const first = await start();
    first.kill('SIGTERM');
    await first.ended;
    const server = await start();
    const resident = (): number => {
      const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? [];
      return Number(kib) * 1024;
    };
    process.stdout.write(`an idle server: ${(resident() / 1e6).toFixed(1)} MB resident\n`);
    // What its start took is given back soon after it, on a busy machine later.
    await expect.poll(resident, { interval: 500 }).toBeLessThanOrEqual(MAX_BYTES);
  },
);
