import { existsSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type CrashCase, createCrashRoom } from '../support/crash-case.js';
import { CRASH_STORES } from '../support/crash-database.js';
import { isFull } from '../support/crash-share.js';
import { killListed, until } from '../support/processes.js';

/**
 * Six processes: of the harness and of the command one each, its child, and one that left group and
 * session.
 */
const FAMILY = 6;
const LEASE_MS = 6_000;

const stores = CRASH_STORES.filter((store) => existsSync('/proc/self/environ') && (store === 'SQLite' || isFull()));

describe.each(stores)('a run whose worker process dies, on %s', (store) => {
  const room = createCrashRoom(store);
  const pids: number[] = [];
  afterEach(() => {
    for (const pid of pids.splice(0)) killListed(pid);
  });
  afterAll(() => room.dispose());

  async function running(): Promise<{
    readonly one: CrashCase;
    readonly pid: number;
    readonly ended: Promise<unknown>;
  }> {
    const one = await room.open();
    const worker = one.start({ scenario: 'family', leaseMs: LEASE_MS });
    await until(
      'harness, command and their descendants run',
      () => one.alive().filter((pid) => pid !== worker.pid).length === FAMILY,
    );
    return { one, ...worker };
  }

  const leaseOf = async (one: CrashCase): Promise<number> =>
    Date.parse(String((await one.sight()).jobs[0]?.lease_until));

  it('leaves no descendant alive when its lease ends: kill -9', async () => {
    const { one, pid, ended } = await running();
    process.kill(pid, 'SIGKILL');
    const killedAt = performance.now();
    await ended;
    const leaseEndsAtMs = await leaseOf(one);
    await until('no descendant is alive', () => one.alive().length === 0);
    const goneAtMs = Date.now();

    console.log(
      `worker death: descendants gone ${Math.round(performance.now() - killedAt)} ms after kill -9, ${leaseEndsAtMs - goneAtMs} ms before the end of the lease`,
    );
    expect(goneAtMs).toBeLessThan(leaseEndsAtMs);
  }, 60_000);

  it('leaves no descendant alive when its lease ends: SIGSTOP', async () => {
    const { one, pid } = await running();
    pids.push(pid);
    process.kill(pid, 'SIGSTOP');
    const leaseEndsAtMs = await leaseOf(one);
    expect(one.alive()).toHaveLength(FAMILY);
    await until('no descendant is alive', () => one.alive().length === 0);
    const goneAtMs = Date.now();

    console.log(
      `worker death: descendants gone ${leaseEndsAtMs - goneAtMs} ms before the end of the lease of a worker that was stopped`,
    );
    expect(goneAtMs).toBeLessThan(leaseEndsAtMs);
  }, 60_000);
});
