import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { startStoreProcess } from '../../support/store-process.js';
import { claimOf, newJob } from '../../support/store-samples.js';
import { openSqliteWorld } from '../../support/store-world.js';

interface Hammered {
  readonly acked: readonly string[];
  readonly seen: readonly number[];
  readonly commits: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly loopP99Ms: number;
  readonly loopMaxMs: number;
}

describe('several processes on one store', () => {
  let stateDir: string;
  beforeEach(async () => {
    stateDir = await mkdtemp(join(tmpdir(), 'kit-processes-'));
  });
  afterEach(() => rm(stateDir, { recursive: true, force: true }));

  it('makes one store when they start at once in an empty directory', async () => {
    const processes = await Promise.all(
      Array.from({ length: 4 }, (_, n) => startStoreProcess('store-hammer-process.ts', stateDir, String(n + 1), '1')),
    );

    await Promise.all(processes.map((one) => one.next()));
    for (const { child } of processes) child.stdin?.end('go\n');
    const ended = await Promise.all(processes.map((one) => one.rest<Hammered>()));

    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(processes.map(() => [0, '']));
    const world = await openSqliteWorld({ stateDir });
    expect((await world.stores.jobs.list({ limit: 1000 })).every((job) => job.status === 'completed')).toBe(true);
    await world.dispose();
  });

  it('loses nothing and skips nothing while three of them write as fast as they can', async () => {
    const forMs = process.env.KIT_TEST_HAMMER_MS ?? '3000';
    const processes = await Promise.all(
      [1, 2, 3].map((n) => startStoreProcess('store-hammer-process.ts', stateDir, String(n), forMs)),
    );
    await Promise.all(processes.map((one) => one.next()));
    for (const { child } of processes) child.stdin?.end('go\n');
    const results = await Promise.all(processes.map((one) => one.next<Hammered>()));
    await Promise.all(processes.map((one) => one.rest()));

    const world = await openSqliteWorld({ stateDir });
    const log = [];
    for (let after = '', more = true; more; ) {
      const page = await world.stores.events.read({ after, limit: 1000 });
      log.push(...page.events);
      after = page.nextCursor;
      more = page.hasMore;
    }
    await world.dispose();

    expect(log.map((event) => event.eventId).sort()).toEqual(results.flatMap((result) => result.acked).sort());
    for (const { seen } of results) expect(seen).toEqual(log.slice(0, seen.length).map((event) => event.pos));
    const lastSeq = new Map<string, number>();
    for (const event of log) {
      expect(event.seq).toBe((lastSeq.get(event.jobId) ?? 0) + 1);
      lastSeq.set(event.jobId, event.seq);
    }
    for (const [n, { acked: _acked, seen: _seen, ...figures }] of results.entries()) {
      console.log(
        `hammer ${n + 1}/3: ${Object.entries(figures)
          .map(([name, value]) => `${name} ${Math.round(value * 10) / 10}`)
          .join(', ')}`,
      );
    }
  }, 120_000);

  it('loses nothing while processes open and close it all the time, the last one removing the log each time', async () => {
    const processes = await Promise.all(
      [1, 2, 3].map((n) => startStoreProcess('store-reopen-process.ts', stateDir, String(n), '40')),
    );
    const ended = await Promise.all(processes.map((one) => one.rest<readonly string[]>()));

    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(processes.map(() => [0, '']));
    const world = await openSqliteWorld({ stateDir });
    const jobs = await world.stores.jobs.list({ limit: 1000 });
    await world.dispose();
    expect(jobs.map((job) => job.id).sort()).toEqual(ended.flatMap(({ lines }) => lines.flat()).sort());
  }, 60_000);

  it('takes over from a dead process at once and from a living one never, however long its lease is over', async () => {
    const world = await openSqliteWorld({ stateDir });
    const here = readWorkerHost();
    const holder = await startStoreProcess('store-hold-process.ts', stateDir);
    const { jobId } = await holder.next<{ jobId: string }>();

    await world.elapse(24 * 3_600_000);
    expect(await world.stores.jobs.sweep(here)).toEqual([]);
    holder.child.kill('SIGSTOP');
    expect(await world.stores.jobs.sweep(here)).toEqual([]);
    await world.elapse(-24 * 3_600_000);
    holder.child.kill('SIGKILL');
    await holder.rest();
    const swept = await world.stores.jobs.sweep(here);

    expect(swept).toMatchObject([{ id: jobId, status: 'pending', crashes: 1 }]);
    await world.dispose();
  });

  it('is not deceived by another process that was given the same pid', async () => {
    const world = await openSqliteWorld({ stateDir });
    const here = readWorkerHost();
    const [mine, theirs] = [world.ids.jobId(), world.ids.jobId()];
    await world.stores.jobs.insert(newJob(mine), 'pending', [], claimOf({ host: here }));
    await world.stores.jobs.insert(newJob(theirs), 'pending', [], claimOf({ host: { ...here, processStart: '17' } }));

    expect((await world.stores.jobs.sweep(here)).map((job) => job.id)).toEqual([theirs]);
    await world.dispose();
  });

  it('judges by time where the platform does not tell one process from the next', async () => {
    const world = await openSqliteWorld({ stateDir });
    const host = { ...readWorkerHost(), processStart: 'unknown' };
    const id = world.ids.jobId();
    await world.stores.jobs.insert(newJob(id), 'pending', [], claimOf({ host, leaseMs: 1000 }));

    expect(await world.stores.jobs.sweep(host)).toEqual([]);
    await world.elapse(1001);
    expect((await world.stores.jobs.sweep(host)).map((job) => job.id)).toEqual([id]);
    await world.dispose();
  });
});
