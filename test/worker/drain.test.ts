import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ENGINE } from '../../src/domain/journal.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import { createClock } from '../../src/system/clock.js';
import { readWorkerHost } from '../../src/system/worker-host.js';
import { fenceOf } from '../../src/worker/fence-of.js';
import { Slots } from '../../src/worker/slots.js';
import { WorkLoop } from '../../src/worker/work-loop.js';
import { lawfulWorlds, overriding } from '../engine/laws.js';
import { until } from '../support/processes.js';
import { agent, call, commandSkill } from '../support/run-world.js';

const open = lawfulWorlds();
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

it('a drain ends the processes of a run before it gives the lease back, and the run goes on where it is claimed next', async () => {
  const warnings: string[] = [];
  // It takes no hint: only the end of its group ends it.
  const stubborn = commandSkill('tick', [
    'sh',
    '-c',
    'trap "" TERM; while :; do echo x >> ticks; [ -e go ] && exit 0; sleep 0.05; done',
  ]);
  const world = await open({
    root: agent('root', { role: 'root', skills: ['tick'] }),
    skills: [stubborn],
    script: ({ turn }) => (turn === 0 ? [call('tick', { input: '' })] : 'done'),
  });
  await world.stores.jobs.release(fenceOf(world.job));
  const ticks = join(world.dir, 'ticks');
  const ticked = (): number => (existsSync(ticks) ? readFileSync(ticks, 'utf8').length : 0);
  let atRelease: number | null = null;
  const stores: Stores = {
    ...world.stores,
    jobs: overriding(world.stores.jobs, {
      release: async (fence: Parameters<Stores['jobs']['release']>[0]) => {
        atRelease ??= ticked();
        await world.stores.jobs.release(fence);
      },
    }),
  };
  const [clock, host] = [createClock(), readWorkerHost()];
  const loop = new WorkLoop({
    ...{ stores, clock, host, slots: new Slots(1) },
    log: { ...log, warn: (message: string) => void warnings.push(message) },
    leaseMs: () => 60_000,
    claim: () => ({
      ...{ workerId: 'drained', leaseMs: 60_000, jobClass: 'any' as const, engine: ENGINE, host },
      offersFor: async () => ({ plugins: {}, adapters: {} }),
    }),
    jobDeps: () => ({ stores, clock, log, leaseMs: 60_000, defer: setImmediate, open: async () => world.facilities }),
    afterRun: async () => undefined,
    fireDue: async () => undefined,
    recoverAll: () => false,
  });
  await loop.start();
  await until('the tool runs', () => ticked() > 0);

  await loop.drain(300);

  expect(atRelease).not.toBeNull();
  await pause(300); // six ticks of a process that was left behind
  expect(ticked()).toBe(atRelease);
  expect(warnings).toEqual([]);
  expect(await world.row()).toMatchObject({ status: 'pending', workerId: null, crashes: 0 });
});
