import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createObserveApp } from '../../../src/app/observe/create-observe-app.js';
import { wallMsOf } from '../../../src/app/observe/run-status.js';
import type { Job } from '../../../src/domain/job.js';
import type { WorkerHost } from '../../../src/domain/ports/stores.js';
import { issuesOf } from '../../../src/view/warnings.js';
import { busyRun, HOSTILE, observe } from '../../support/observed-run.js';
import type { World } from '../../support/run-world.js';
import { claimOf, endedEvent, fenceOf, HERE, newJob, runEndWrite, startedEvent } from '../../support/store-samples.js';
import { openSqliteWorld, type SqliteWorld } from '../../support/store-world.js';

const START = Date.parse('2026-01-02T03:04:05.000Z');
const at = (nowMs: number) => ({ now: () => nowMs, sleep: async () => {} });

describe('the status of runs', () => {
  let world: SqliteWorld;
  afterEach(() => world.dispose());

  const submit = async (claim?: ReturnType<typeof claimOf>): Promise<Job> =>
    world.stores.jobs.insert(newJob(world.ids.jobId()), 'queued', [startedEvent(world.ids.uuid())], claim);
  const status = (nowMs: number, limit = 5, host: WorkerHost = HERE) =>
    createObserveApp({
      ids: { uuid: randomUUID },
      clock: at(nowMs),
      host,
      openStores: async () => world.stores,
      maskOf: async () => (text: string) => text,
    }).status({ workspace: '', limit });

  it('is the newest first, as many as asked for', async () => {
    world = await openSqliteWorld();
    const ids = [await submit(), await submit(), await submit()].map(({ id }) => id);

    expect((await status(START, 2)).map(({ job }) => job.id)).toEqual([ids[2], ids[1]]);
    expect(await status(START, 1000)).toHaveLength(3);
  });

  it('measures wall time: none before a claim, until now while it runs, then until the end', async () => {
    world = await openSqliteWorld();
    await submit();
    const job = await submit(claimOf({ leaseMs: 600_000 }));

    const running = await status(START + 30_000);
    await world.elapse(120_000);
    await world.stores.runs.commit(fenceOf(job), [runEndWrite([endedEvent(world.ids.uuid())])]);
    const ended = await status(START + 9_000_000);

    expect(running.map(({ wallMs }) => wallMs)).toEqual([30_000, null]);
    expect(ended[0]?.wallMs).toBe(120_000);
    expect(ended[0]?.job.status).toBe('completed');
  });

  it('shows a run whose process died as what it is', async () => {
    world = await openSqliteWorld();
    await submit(claimOf({ leaseMs: 1_000 }));
    await world.elapse(5_000);

    const [run] = await status(START + 5_000);

    expect(run?.job.status).not.toBe('running');
  });

  it('counts the wait of a parked run until it parked', () => {
    const job = {
      status: 'deferred',
      startedAt: '2026-01-02T03:00:00.000Z',
      completedAt: null,
      parkedAt: '2026-01-02T03:00:10.000Z',
    } as Job;

    expect(wallMsOf(job, START)).toBe(10_000);
    expect(
      wallMsOf({ ...job, startedAt: '2027-01-01T00:00:00.000Z', status: 'running', parkedAt: null } as Job, START),
    ).toBe(0);
  });
});

describe('one run', () => {
  let world: World;
  beforeAll(async () => {
    world = await busyRun();
  });
  afterAll(() => world.close());

  it('is traced by a prefix of its id, each call with the activation that made it, and the time is that of the run', async () => {
    const { view, job, wallMs } = await observe(world).trace({ workspace: '', run: world.job.id.slice(0, 8) });
    const byAgent = Object.values(view.agents).map(({ agentId, trail }) => [
      agentId,
      trail
        .filter(({ kind }) => kind === 'tool')
        .map(({ name, status }) => `${name} ${status}`)
        .sort(),
    ]);

    expect(job.status).toBe('completed');
    expect(byAgent).toEqual([
      ['lead', []],
      ['reader', ['fall failed', 'say ok', 'sey refused']],
      ['writer', ['readFile_7 refused', 'say ok', 'say ok']],
      ['reader', []],
      ['writer', []],
    ]);
    const longest = Math.max(...Object.values(view.agents).map(({ durationMs }) => durationMs ?? 0));
    const sum = Object.values(view.agents).reduce((total, { durationMs }) => total + (durationMs ?? 0), 0);
    expect(wallMs).toBeGreaterThanOrEqual(longest);
    expect(wallMs).toBeLessThan(sum);
    expect(issuesOf(view)).toBe(3);
  });

  it('is reported with its events, its output and what is left out', async () => {
    const report = await observe(world).report({ workspace: '', run: world.job.id });

    expect(report.events.map(({ seq }) => seq)).toEqual((await world.events()).map(({ seq }) => seq));
    expect(report).toMatchObject({ eventsLeftOut: 0, diffs: null, job: { output: HOSTILE } });
  });

  it('tells its gaps with the agent and what it held', async () => {
    const gaps = await observe(world).gaps({ workspace: '' });

    expect(gaps.map(({ pattern, agents, meant, occurrences }) => [pattern, agents, meant, occurrences])).toEqual(
      expect.arrayContaining([
        ['sey', ['reader'], 'say', 1],
        ['read-file-*', ['writer'], null, 1],
      ]),
    );
    expect(gaps).toHaveLength(2);
  });
});
