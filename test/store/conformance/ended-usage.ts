import { expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import type { NewJob } from '../../../src/domain/ports/stores.js';
import type { UsageFilter, UsageKey } from '../../../src/domain/ports/usage.js';
import { foldUsage } from '../../../src/store/model-usage.js';
import { type Call, calledEvent } from '../../support/model-calls.js';
import { parkWrite } from '../../support/review-samples.js';
import {
  claimOf,
  endedEvent,
  endWrite,
  fenceOf,
  newJob,
  resumedEvent,
  runEndWrite,
  startedEvent,
  startWrite,
  stepOf,
  stopEvent,
} from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const [MORNING, NOON, EVENING] = ['T08:00:00.000Z', 'T12:00:00.000Z', 'T20:00:00.000Z'];

/** What a way of summing reads in a call, and what a bound lets through. */
const keyOf: Readonly<Record<UsageKey, (call: Required<Reported>) => string>> = {
  model: ({ model }) => model,
  topology: ({ topologyId }) => topologyId,
  day: ({ timestamp }) => timestamp.slice(0, 10),
};
type Reported = Pick<Call, 'model' | 'topologyId' | 'timestamp' | 'cost'>;

/** What is counted when a run ends is what its log says, and stays so whatever becomes of it. */
export function endedUsageLaws(world: World): void {
  const begun = (over: Partial<NewJob> = {}): Promise<Job> =>
    world().stores.jobs.insert(
      newJob(world().ids.jobId(), over),
      'pending',
      [startedEvent(world().ids.uuid())],
      claimOf(),
    );
  const commit = (job: Job, ...writes: Parameters<ReturnType<World>['stores']['runs']['commit']>[1]) =>
    world().stores.runs.commit(fenceOf(job), writes);
  let steps = 0;
  const calls = async (job: Job, ...called: readonly Call[]): Promise<void> => {
    steps += 1;
    const key = `root/t${steps}`;
    const events = called.map((call) => calledEvent(world().ids.uuid(), call));
    await commit(job, startWrite(stepOf(job.id, key)), endWrite(key, { status: 'ok', value: 1 }, events));
  };
  const end = (job: Job, status: 'completed' | 'failed' | 'stopped' = 'completed') =>
    commit(job, runEndWrite([endedEvent(world().ids.uuid(), status)], { status }));
  const resume = (job: Job): Promise<Job> =>
    world().stores.jobs.resume(job.id, resumedEvent(world().ids.uuid()), claimOf());
  const usage = (filter: UsageFilter = {}) => world().stores.serving.usage(filter);
  const counted = async (filter: UsageFilter = {}) =>
    (await usage(filter)).map(({ key, calls: n, costUsd }) => [key, n, costUsd]);

  it('answers as a fold over every call does, whatever the runs came to and wherever the bounds lie', async () => {
    const reported: Required<Reported>[] = [];
    const say = async (job: Job, ...called: readonly Reported[]): Promise<void> => {
      const all = called.map((call) => ({ model: 'm-1', topologyId: 'review', timestamp: NOON, cost: 1, ...call }));
      reported.push(...all);
      await calls(job, ...all);
    };
    const on = (day: number, time: string): string => `2026-01-0${day}${time}`;
    const twoDays = [
      { timestamp: on(1, EVENING), cost: 2 },
      { timestamp: on(2, MORNING), cost: 4 },
      { timestamp: on(2, EVENING), model: 'm-2', cost: 8 },
      { timestamp: on(2, EVENING), cost: 16 },
    ];
    const completed = await begun();
    await say(completed, ...twoDays);
    await end(completed);
    const failed = await begun();
    await say(failed, { timestamp: on(2, NOON), topologyId: 'other', cost: null });
    await end(failed, 'failed');
    const resumed = await begun();
    await say(resumed, { timestamp: on(2, MORNING), cost: 32 });
    await end(resumed, 'stopped');
    const again = await resume(resumed);
    await say(again, { timestamp: on(2, NOON), cost: 64 }, { timestamp: on(3, MORNING), cost: 128 });
    await end(again);
    const stopped = await begun();
    await say(stopped, { timestamp: on(3, MORNING), model: 'm-2', topologyId: 'other', cost: 256 });
    await commit(stopped, parkWrite(['gate'], world().ids.uuid()));
    await world().stores.jobs.requestStop(stopped.id, 'ada', stopEvent(world().ids.uuid()));
    const live = await resume(stopped);
    await say(live, { timestamp: on(3, NOON), model: 'm-2', topologyId: 'other', cost: 512 });
    const waiting = await begun();
    await say(waiting, { timestamp: on(2, NOON), cost: 1024 });
    await commit(waiting, parkWrite(['gate'], world().ids.uuid()));

    const moments = [1, 2, 3].flatMap((day) =>
      ['T00:00:00.000Z', MORNING, NOON, 'T15:00:00.000Z', EVENING, 'T23:59:59.999Z'].map((time) => on(day, time)),
    );
    const bounds = [undefined, ...moments];
    for (const since of bounds)
      for (const until of bounds)
        for (const topology of [undefined, 'other'])
          for (const by of ['model', 'topology', 'day'] as const) {
            const filter = {
              by,
              ...(since === undefined ? {} : { since }),
              ...(until === undefined ? {} : { until }),
              ...(topology === undefined ? {} : { topology }),
            };
            const of = reported.filter(
              ({ timestamp, topologyId }) =>
                (since === undefined || timestamp >= since) &&
                (until === undefined || timestamp <= until) &&
                (topology === undefined || topologyId === topology),
            );
            const rows = of.map((call) => ({
              key: keyOf[by](call),
              calls: 1,
              priced: call.cost === null ? 0 : 1,
              input_tokens: 10,
              output_tokens: 5,
              cached_input_tokens: 0,
              cost_usd: call.cost ?? 0,
            }));
            expect(await usage(filter), JSON.stringify(filter)).toEqual(foldUsage(rows, by));
          }
  }, 60_000);

  it('counts the calls of a run once, however often it ends', async () => {
    let job = await begun();
    await calls(job, { cost: 1 });
    await end(job, 'stopped');
    expect(await counted()).toEqual([['m-1', 1, 1]]);
    for (const cost of [2, 4]) {
      job = await resume(job);
      await calls(job, { cost });
      await end(job, 'stopped');
    }
    job = await resume(job);
    await end(job);

    expect(await counted()).toEqual([['m-1', 3, 7]]);
    expect(await counted({ by: 'day' })).toEqual([['2026-01-02', 3, 7]]);
    expect(await counted({ jobId: job.id })).toEqual([['m-1', 3, 7]]);
  });

  it('counts a run that crashed for good', async () => {
    const job = await begun({ recover: 'manual' });
    await calls(job, { cost: 3 });
    await world().elapse(DAY_MS);
    await world().stores.jobs.sweep({ hostname: 'here', bootId: 'boot-here', pid: 1, processStart: '1' });

    expect((await world().stores.jobs.get(job.id))?.status).toBe('stopped');
    expect(await counted()).toEqual([['m-1', 1, 3]]);
  });

  it('counts no replay, before its end and after it', async () => {
    const needs = { plugins: {}, adapters: {}, cassette: 'a'.repeat(64) };
    const job = await world().stores.jobs.insert(
      newJob(world().ids.jobId(), { needs }),
      'pending',
      [],
      claimOf({ offers: needs }),
    );
    await calls(job, { cost: 3 });
    expect(await counted()).toEqual([]);
    await end(job);

    expect(await counted()).toEqual([]);
    expect(await counted({ since: `2026-01-02T03:00:00Z` })).toEqual([]);
    expect(await counted({ jobId: job.id })).toEqual([['m-1', 1, 3]]);
  });

  it('counts what fallback models answered, unanswered calls, and calls whose words no database reads', async () => {
    const job = await begun();
    await calls(
      job,
      { servedBy: 'm-2', cost: 1, input: 7, cached: 3 },
      { status: 'failed', cost: null, input: 0, output: 0, reason: 'a\u0000b' },
      { cost: 2, reason: 'half \ud83d' },
      { model: 'm-3', cost: null },
    );
    await end(job);

    const all = [
      { key: 'm-3', calls: 1, inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, costUsd: null },
      { key: 'm-1', calls: 2, inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, costUsd: 2 },
      { key: 'm-2', calls: 1, inputTokens: 7, outputTokens: 5, cachedInputTokens: 3, costUsd: 1 },
    ];
    expect(await usage()).toEqual(all);
    expect(await usage({ jobId: job.id })).toEqual(all);
    expect(await usage({ since: '2026-01-02T03:04:05Z', until: '2026-01-02T03:04:05Z' })).toEqual(all);
  });

  it('keeps what a removed run used in the totals of its days, and not in a part of a day', async () => {
    const { stores } = world();
    const [old, other] = [await begun(), await begun()];
    await calls(old, { cost: 1, timestamp: '2026-01-01T23:00:00.000Z' }, { cost: 2 });
    await calls(other, { cost: 4 });
    for (const job of [old, other]) await end(job);
    await world().elapse(20 * DAY_MS);
    const kept = await begun();
    await calls(kept, { cost: 8 });
    await end(kept);
    await begun();
    const before = await usage({ by: 'day' });
    await world().elapse(20 * DAY_MS);

    expect(await stores.retention.prune({ olderThanDays: 30 }, () => undefined)).toMatchObject({
      runs: 2,
      rows: { usage_runs: 3 },
    });

    expect(await usage({ by: 'day' })).toEqual(before);
    expect(await counted({ since: '2026-01-02T00:00:00Z' })).toEqual([['m-1', 3, 14]]);
    expect(await counted({ since: '2026-01-02T01:00:00Z' })).toEqual([['m-1', 1, 8]]);
  });
}
