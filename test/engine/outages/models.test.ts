import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import type { ModelFailure, ModelResult } from '../../../src/domain/ports/model.js';
import { quickClock } from '../../support/quick-clock.js';
import { agent, call, type World, type WorldOptions } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';

const open = lawfulWorlds();
const KEY = 'root/d0/t0';

const down = (kind: ModelFailure['kind'] = 'network', retryAfterMs: number | null = null): ModelResult => ({
  ok: false,
  failure: { kind, message: 'down', status: null, retryAfterMs },
});

/** The model is down for the first `times` calls. */
function world(times: number, over: Partial<WorldOptions> = {}, failure = down()): Promise<World> {
  let left = times;
  return open({
    root: agent('root', { role: 'root' }),
    script: () => (left-- > 0 ? failure : 'fine'),
    clock: quickClock(500),
    leaseMs: 24 * 3_600_000,
    ...over,
    env: { KIT_OUTAGE_PATIENCE_S: 900, ...over.env },
  });
}

const rowOf = async ({ stores, job }: World, key = KEY) =>
  (await stores.runs.load(job.id)).find((row) => row.key === key);

/** Claims the run as another worker would, as soon as it is due. */
async function claimedWhenDue(at: World): Promise<Job> {
  for (;;) {
    const claimed = await at.claim().catch(() => null);
    if (claimed !== null) return claimed;
    await pause(5);
  }
}

describe('a run whose provider is down', () => {
  it('waits where its process has nothing else to do, and goes on with the same step', async () => {
    const at = await world(2);
    const result = await at.run({ rests: true });
    expect(result).toMatchObject({ kind: 'ended', end: { status: 'completed', output: 'fine' } });
    const events = await at.events();
    expect(payloadsOf(events, 'step.waiting')).toMatchObject([
      { key: KEY, reason: 'provider.network', tries: 1 },
      { key: KEY, reason: 'provider.network', tries: 2 },
    ]);
    expect(payloadsOf(events, 'step.repeated')).toEqual([]);
    expect(payloadsOf(events, 'model.called')).toMatchObject([{ status: 'ok', retries: 2 }]);
    expect(await rowOf(at)).toMatchObject({ attempt: 3, units: 1, outcome: { status: 'ok' } });
    expect(events.filter(({ type }) => type === 'run.parked')).toEqual([]);
  });

  it('lets go of the run elsewhere, and anybody goes on with it once it is due', async () => {
    const at = await world(1);
    expect(await at.run()).toEqual({ kind: 'waiting', waitingOn: [`outage:${KEY}`] });
    const row = await at.row();
    expect(row).toMatchObject({ status: 'running', workerId: null, waitingOn: [`outage:${KEY}`] });
    expect(row.wakeAt).not.toBeNull();
    expect(await rowOf(at)).toMatchObject({ outcome: null, units: 1, notes: { outage: { not_done: true, tries: 1 } } });
    const claimed = await claimedWhenDue(at);
    expect(await at.runClaim(claimed)).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
    expect(payloadsOf(await at.events(), 'step.repeated')).toEqual([]);
    expect(await rowOf(at)).toMatchObject({ attempt: 2, units: 1 });
  });

  it('fails once its patience is spent, and counts the step once', async () => {
    const at = await world(99, { env: { KIT_OUTAGE_PATIENCE_S: 12 } });
    expect(await at.run({ rests: true })).toMatchObject({
      kind: 'ended',
      end: { status: 'failed', reason: 'provider.network' },
    });
    const tries = payloadsOf(await at.events(), 'step.waiting').map((payload) => payload.tries);
    expect(tries).toEqual([1, 2]);
    expect(await rowOf(at)).toMatchObject({ units: 1, notes: { outage: { waited_ms: 12_000 } } });
  });

  it.each([
    ['has no patience', { KIT_OUTAGE_PATIENCE_S: 0 }, down()],
    ['is not let in', {}, down('auth')],
    ['asked for something bad', {}, down('bad_request')],
    ['is asked to wait for longer than its patience', {}, down('rate_limited', 3_600_000)],
  ])('fails at once where it %s', async (_, env, failure) => {
    const at = await world(99, { env }, failure);
    const ended = await at.run({ rests: true });
    expect(ended).toMatchObject({ kind: 'ended', end: { status: 'failed' } });
    expect(payloadsOf(await at.events(), 'step.waiting')).toEqual([]);
  });

  it('has no patience where its snapshot is from before', async () => {
    const at = await world(99, { env: { KIT_OUTAGE_PATIENCE_S: undefined as unknown as number } });
    expect(await at.run({ rests: true })).toMatchObject({ end: { status: 'failed', reason: 'provider.network' } });
  });

  it('leaves a long Retry-After to the timer, however many retries are left', async () => {
    const at = await world(1, { env: { KIT_MODEL_RETRIES: 3 } }, down('rate_limited', 30_000));
    expect(await at.run()).toMatchObject({ kind: 'waiting' });
    expect(await rowOf(at)).toMatchObject({ notes: { outage: { tries: 1, wait_ms: 30_000 } } });
    expect(await at.runClaim(await claimedWhenDue(at))).toMatchObject({ end: { status: 'completed' } });
  });

  it('lets the agents beside come to their own end, once', async () => {
    let calls = 0;
    let isDown = true;
    const at = await world(0, {
      root: agent('root', { role: 'root', children: [agent('a'), agent('b')] }),
      script: ({ agent: id, turn }) => {
        if (id === 'root' && turn === 0)
          return [call('delegate_to_a', { task: 'x' }), call('delegate_to_b', { task: 'y' })];
        if (id === 'b') calls += 1;
        if (id === 'a' && isDown) {
          isDown = false;
          return down();
        }
        return `${id} is done`;
      },
    });
    expect(await at.run()).toMatchObject({ kind: 'waiting' });
    expect(calls).toBe(1);
    expect(await at.runClaim(await claimedWhenDue(at))).toMatchObject({ end: { status: 'completed' } });
    expect(calls).toBe(1);
  });

  it('is in doubt again once it is tried again, and says so where its process died then', async () => {
    let isFirst = true;
    const leave = new AbortController();
    const at = await world(0, {
      script: async ({ signal }) => {
        if (isFirst) {
          isFirst = false;
          return down();
        }
        if (leave.signal.aborted) return 'fine';
        leave.abort();
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        return down();
      },
    });
    await at.run();
    const claimed = await claimedWhenDue(at);
    expect(await at.runClaim(claimed, { leave: leave.signal })).toMatchObject({ kind: 'lost' });
    expect(await rowOf(at)).toMatchObject({ outcome: null, notes: { outage: { not_done: false } } });
    const { id: jobId, workerId, attempt } = claimed;
    await at.stores.jobs.release({ jobId, workerId: workerId ?? '', attempt });
    expect(await at.runClaim(await at.claim())).toMatchObject({ end: { status: 'completed' } });
    expect(payloadsOf(await at.events(), 'step.repeated')).toMatchObject([{ key: KEY, attempt: 3 }]);
  });

  it('is stopped on request while it waits', async () => {
    const at = await world(99, { clock: quickClock(50) });
    const running = at.run({ rests: true });
    while (payloadsOf(await at.events(), 'step.waiting').length === 0) await pause(2);
    await at.requestStop();
    expect(await running).toMatchObject({ kind: 'ended', end: { status: 'stopped', reason: 'stop_requested' } });
  });

  it('is cut off at once while it waits', async () => {
    const abort = new AbortController();
    const at = await world(99, { clock: quickClock(1) });
    const running = at.run({ rests: true, abort: abort.signal });
    while (payloadsOf(await at.events(), 'step.waiting').length === 0) await pause(2);
    abort.abort();
    expect(await running).toMatchObject({ kind: 'ended', end: { status: 'stopped', reason: 'interrupted' } });
  });
});
