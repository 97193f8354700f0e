import { describe, expect, it } from 'vitest';
import { ENGINE } from '../../src/domain/journal.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import { onwardTime } from '../../src/domain/ports/system.js';
import { Task } from '../../src/engine/tasks/task.js';
import { readWorkerHost } from '../../src/system/worker-host.js';
import { LeaseKeeper } from '../../src/worker/lease-keeper.js';
import { restOut } from '../../src/worker/rest-out.js';
import { Slots } from '../../src/worker/slots.js';
import { WakeUp } from '../../src/worker/wake-up.js';
import { WorkLoop } from '../../src/worker/work-loop.js';
import { SettableClock } from '../support/settable-clock.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LEASE_MS = 60_000;
const SETS = [
  ['back an hour', -HOUR_MS],
  ['on a day', DAY_MS],
] as const;

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const fence = { jobId: '0123456789ab', workerId: 'one', attempt: 1 };

/** The parts of a store of jobs that are asked here; the casts leave out the rest of it. */
function jobsOf() {
  const beats: number[] = [];
  const seen = { claims: 0, sweeps: 0 };
  const jobs = {
    heartbeat: async (_fence: unknown, _leaseMs: number, addMs: number) => {
      beats.push(addMs);
      return { lost: false };
    },
    isStopRequested: async () => false,
    claim: async () => {
      seen.claims += 1;
      return [];
    },
    sweep: async () => {
      seen.sweeps += 1;
      return [];
    },
    waitForWork: async () => undefined,
  };
  return { jobs: jobs as unknown as Stores['jobs'], beats, seen };
}

describe.each(SETS)('a wall clock that is set %s', (_name, byMs) => {
  it('neither adds to the working time of a run nor takes from it', async () => {
    const clock = new SettableClock();
    const { jobs, beats } = jobsOf();
    const keeper = new LeaseKeeper(
      { jobs, fence, leaseMs: LEASE_MS, clock, log, onLost: () => {} },
      { atMs: clock.now(), executedMs: 0 },
    );
    keeper.start();
    await clock.advance(10_000);
    clock.set(byMs);
    expect(keeper.executedMs()).toBe(10_000);
    await clock.advance(10_000);
    expect(beats).toEqual([20_000]);
    expect(keeper.executedMs()).toBe(20_000);
    await keeper.stop();
  });

  it('neither cuts an agent off nor gives it more time', async () => {
    const clock = new SettableClock();
    const task = new Task({
      slots: { take: async () => undefined, give: () => undefined } as unknown as ConstructorParameters<
        typeof Task
      >[0]['slots'],
      clock,
      signal: new AbortController().signal,
      timeoutMs: 8_000,
    });
    await task.begin();
    await clock.advance(5_000);
    clock.set(byMs);
    task.end();
    await task.begin();
    await clock.advance(2_999);
    expect(task.late.aborted).toBe(false);
    await clock.advance(1);
    expect(task.late.aborted).toBe(true);
  });

  it('keeps a worker from neither its queue nor the runs of the dead', async () => {
    const clock = new SettableClock();
    const { jobs, seen } = jobsOf();
    let fired = 0;
    const host = readWorkerHost();
    const loop = new WorkLoop({
      ...{ stores: { jobs } as unknown as Stores, clock, host, log, slots: new Slots(1) },
      leaseMs: () => LEASE_MS,
      claim: () => ({
        ...{ workerId: 'one', leaseMs: LEASE_MS, jobClass: 'any' as const, engine: ENGINE, host },
        offersFor: async () => ({ plugins: {}, adapters: {} }),
      }),
      jobDeps: () => {
        throw new Error('nothing is claimed here');
      },
      afterRun: async () => undefined,
      fireDue: async () => {
        fired += 1;
      },
      recoverAll: () => false,
    });
    await loop.start();
    await clock.advance(1_000);
    clock.set(byMs);
    const before = { ...seen, fired };
    for (let second = 0; second < 60; second += 1) await clock.advance(1_000);
    expect(seen.claims - before.claims).toBeGreaterThanOrEqual(50);
    expect(seen.sweeps).toBeGreaterThan(before.sweeps);
    expect(fired - before.fired).toBeGreaterThanOrEqual(50);
    const drained = loop.drain(0);
    await clock.advance(20_000);
    await drained;
  });
});

it('a wall clock that is set back holds up neither the next look at the queue nor the end of a rest', async () => {
  const clock = new SettableClock();
  const stop = new AbortController();
  const { jobs } = jobsOf();
  const wakeUp = new WakeUp({ jobs, clock, pollMs: 1_000, settleMs: 20, signal: stop.signal });
  await wakeUp.next({ watchesStore: true });
  clock.set(-HOUR_MS);
  let woke = false;
  void wakeUp.next({ watchesStore: true }).then(() => {
    woke = true;
  });
  await clock.advance(20);
  expect(woke).toBe(true);

  let isOver = false;
  const rest = restOut(
    {
      jobs,
      fence,
      leaseMs: LEASE_MS,
      clock,
      log,
      onLost: () => {},
      signal: stop.signal,
      drain: undefined,
      stop: undefined,
    },
    { waitMs: 5_000, leaseAtMs: clock.now(), waits: [], rows: [], remoteTasks: undefined },
  ).then(() => {
    isOver = true;
  });
  await clock.advance(1_000);
  clock.set(-HOUR_MS);
  await clock.advance(5_000);
  expect(isOver).toBe(true);
  await rest;
});

it('time that goes on is that of the clocks, however often it is looked at', () => {
  let [wall, counted] = [0, 0];
  const time = onwardTime({ now: () => wall, elapsed: () => counted });
  for (let ms = 1; ms <= 100; ms += 1) {
    wall = ms;
    time();
    counted = ms;
    expect(time()).toBe(ms);
  }
  wall -= HOUR_MS;
  counted += 50;
  expect(time()).toBe(150);
  wall += 1_000;
  expect(time()).toBe(1_100);
});
