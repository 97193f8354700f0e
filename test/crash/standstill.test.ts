import { existsSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createCrashRoom } from '../support/crash-case.js';
import { CRASH_STORES } from '../support/crash-database.js';
import { pathsOf } from '../support/crash-plan.js';
import { isFull } from '../support/crash-share.js';
import { killListed, until } from '../support/processes.js';

const LEASE_MS = 3_000;

const stores = CRASH_STORES.filter((store) => existsSync('/proc/self/environ') && (store === 'SQLite' || isFull()));

describe.each(stores)(
  'a run whose process stood still longer than its lease, as when a laptop sleeps, on %s',
  (store) => {
    const room = createCrashRoom(store);
    const pids: number[] = [];
    afterEach(() => {
      for (const pid of pids.splice(0)) killListed(pid);
    });
    afterAll(() => room.dispose());

    it('repeats what its lease ended and goes on, when nobody took it over', async () => {
      const one = await room.open();
      const worker = one.start({ scenario: 'patient', leaseMs: LEASE_MS });
      pids.push(worker.pid);
      await until(
        'command and harness run',
        async () => (await one.sight()).effects.filter((effect) => effect.name === 'patient').length === 2,
      );
      process.kill(worker.pid, 'SIGSTOP');
      await until('their lease has ended them', () => one.alive().length === 0);
      writeFileSync(pathsOf(one.dir).go, '');
      process.kill(worker.pid, 'SIGCONT');
      const ended = await worker.ended;

      expect(ended.stderr).toBe('');
      expect(ended.report).toMatchObject({
        kind: 'ended',
        status: 'completed',
        output: expect.stringContaining('went on'),
        replayed: { kind: 'completed' },
      });
      const { events, effects } = await one.sight();
      expect(effects.filter((effect) => effect.name === 'patient')).toHaveLength(4);
      expect(
        events
          .filter((event) => event.type === 'step.repeated')
          .map((event) => event.step_key)
          .sort(),
      ).toEqual(['root/d0/t0/c0:waiter/d0/t0/c0:wait', 'root/d0/t0/c1:keeper/d0/x']);
      expect(events.filter((event) => event.type === 'run.ended')).toHaveLength(1);
    }, 60_000);
  },
);
