import { expect, it, onTestFinished, vi } from 'vitest';
import { talk } from '../e2e/workspaces.js';
import { appOver, openApp } from '../support/http/open-app.js';
import { frontOf } from '../support/protocols/remote-world.js';

/** How far the clock of the kits of this test is ahead, and the pause that does not last. */
const clock = vi.hoisted(() => ({ aheadMs: 0, isFirstPause: true }));
const MINUTE_MS = 60_000;

vi.mock('../../src/system/clock.js', async (original) => {
  const real = (await original()) as typeof import('../../src/system/clock.js');
  const { now, sleep } = real.createClock();
  return {
    ...real,
    createClock: (): ReturnType<typeof real.createClock> => ({
      now: () => now() + clock.aheadMs,
      sleep: (ms, signal) => {
        const isOver = clock.aheadMs > 0 && clock.isFirstPause && ms >= MINUTE_MS && ms <= 10 * MINUTE_MS;
        if (isOver) clock.isFirstPause = false;
        return sleep(isOver ? 0 : ms, signal);
      },
    }),
  };
});

it('a server removes what is too old where its workspace says so, and its log tells how much', async () => {
  const files = talk({ provider: 'mock' });
  const { app, workspace, env, write } = await openApp(files);
  const run = async (): Promise<string> => {
    const { job } = await app.serve.submit({ ...frontOf({ workspace }), topology: 'talk' });
    await expect
      .poll(async () => (await app.jobs.get({ workspace, job: job.id })).status, { timeout: 20_000 })
      .toBe('completed');
    return job.id;
  };
  await app.serve.start({ workspace });
  const [old, newest] = [await run(), await run()];
  await app.serve.drain(0);
  await app.close();

  clock.aheadMs = 3 * 24 * 60 * MINUTE_MS;
  await write({
    'workspace.yaml': `${files['workspace.yaml']}\nstorage: { audit: { retention_days: 1, prune_every_hours: 1 } }\n`,
  });
  let logged = '';
  const next = appOver(workspace, env, (line) => {
    logged += line;
  });
  onTestFinished(() => next.close());
  await next.serve.start({ workspace });
  onTestFinished(() => next.serve.drain(0));

  await expect
    .poll(async () => (await next.jobs.list({ workspace })).map(({ id }) => id), { timeout: 20_000 })
    .toEqual([newest]);
  expect(old).not.toBe(newest);
  // The line follows the removal of what belongs to no run.
  await expect.poll(() => logged).toContain('old runs were removed');
});
