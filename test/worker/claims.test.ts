import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KitError } from '../../src/domain/errors.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import type { Clock } from '../../src/domain/ports/system.js';
import { createClock } from '../../src/system/clock.js';
import { readWorkerHost } from '../../src/system/worker-host.js';
import { runJob } from '../../src/worker/run-job.js';
import { committing, failedSteps, lawfulWorlds, overriding, payloadsOf } from '../engine/laws.js';
import { processesWith, until } from '../support/processes.js';
import { agent, call, commandSkill, type Script, type World } from '../support/run-world.js';

const open = lawfulWorlds();

/** The real clock, in which a test lets time go by. */
function settableClock(): Clock & { readonly skip: (ms: number) => void } {
  const real = createClock();
  let skippedMs = 0;
  return {
    ...real,
    now: () => real.now() + skippedMs,
    elapsed: () => real.now() + skippedMs,
    skip: (ms) => {
      skippedMs += ms;
    },
  };
}
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A tool that writes down each start with its step id, and then waits for the file `go`. */
const waiting = commandSkill('wait', [
  'sh',
  '-c',
  'echo "$KIT_STEP_ID" >> starts; while [ ! -e go ]; do sleep 0.02; done; echo done',
]);
const startsOf = (world: World): readonly string[] => {
  const file = join(world.dir, 'starts');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};
const letGo = (world: World): void => writeFileSync(join(world.dir, 'go'), '');

/** Calls the tool once and then says so; counts the calls of the model. */
function waiter(calls: string[] = []): Script {
  return ({ agent: id, turn }) => {
    calls.push(`${id}/${turn}`);
    return turn === 0 ? [call('wait', { input: '' })] : 'waited';
  };
}

describe('a stop', () => {
  it('inside a tool lets the tool finish, and a resume goes on without doing anything twice', async () => {
    const calls: string[] = [];
    const world = await open({
      root: agent('root', { role: 'root', skills: ['wait'] }),
      skills: [waiting],
      script: waiter(calls),
    });
    const running = world.run();
    await until('the tool runs', () => startsOf(world).length === 1);
    await world.requestStop();
    letGo(world);

    expect(await running).toMatchObject({ kind: 'ended', end: { status: 'stopped', reason: 'stop_requested' } });
    expect(payloadsOf(await world.events(), 'skill.executed')).toMatchObject([{ status: 'ok' }]);

    expect(await world.runClaim(await world.resume())).toMatchObject({
      kind: 'ended',
      end: { status: 'completed', output: 'waited' },
    });
    expect(startsOf(world)).toHaveLength(1);
    expect(calls).toEqual(['root/0', 'root/1']);
    expect(payloadsOf(await world.events(), 'step.repeated')).toEqual([]);
  });

  it('before the first agent starts none', async () => {
    const world = await open({ root: agent('root', { role: 'root' }), script: () => 'never' });
    await world.requestStop();

    await world.run();

    expect(await world.row()).toMatchObject({
      status: 'stopped',
      reason: 'stop_requested',
      error: 'stopped on request of tester',
    });
    expect((await world.events()).map((event) => event.type)).toEqual(['run.started', 'run.stopped', 'run.parked']);
  });

  it('that is asked for twice is one stop', async () => {
    const world = await open({
      root: agent('root', { role: 'root', skills: ['wait'] }),
      skills: [waiting],
      script: waiter(),
    });
    const running = world.run();
    await until('the tool runs', () => startsOf(world).length === 1);
    await world.requestStop();
    await world.requestStop();
    letGo(world);
    await running;
    await world.requestStop();

    expect(payloadsOf(await world.events(), 'run.stopped')).toHaveLength(1);
    expect((await world.row()).status).toBe('stopped');
  });

  it('lets every parallel child come to its own boundary', async () => {
    const calls: string[] = [];
    const script: Script = async ({ agent: id, turn }) => {
      calls.push(`${id}/${turn}`);
      if (id === 'root')
        return turn === 0 ? [call('delegate_to_a', { task: 'x' }), call('delegate_to_b', { task: 'x' })] : 'done';
      if (id === 'a') return turn === 0 ? [call('wait', { input: '' })] : 'a done';
      await until('the tool runs', () => startsOf(world).length === 1);
      await world.requestStop();
      letGo(world);
      return 'b done';
    };
    const world = await open({
      root: agent('root', { role: 'root', children: [agent('a', { skills: ['wait'] }), agent('b')] }),
      skills: [waiting],
      script,
    });

    await world.run();
    expect((await world.row()).status).toBe('stopped');
    await world.runClaim(await world.resume());

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'done' });
    expect(calls.toSorted()).toEqual(['a/0', 'a/1', 'b/0', 'root/0', 'root/1']);
    expect(startsOf(world)).toHaveLength(1);
  });
});

describe('a drain', () => {
  it('leaves the run at the next boundary, waiting, with no end; another worker goes on', async () => {
    const calls: string[] = [];
    const drain = new AbortController();
    const world = await open({
      root: agent('root', { role: 'root', skills: ['wait'] }),
      skills: [waiting],
      script: waiter(calls),
    });
    const running = world.run({ drain: drain.signal });
    await until('the tool runs', () => startsOf(world).length === 1);
    drain.abort();
    letGo(world);

    expect(await running).toEqual({ kind: 'released' });
    expect(await world.row()).toMatchObject({ status: 'pending', workerId: null, crashes: 0, stopRequestedAt: null });
    expect(payloadsOf(await world.events(), 'run.ended')).toEqual([]);

    await world.runClaim(await world.claim());
    expect(await world.row()).toMatchObject({ status: 'completed', attempt: 2 });
    expect(calls).toEqual(['root/0', 'root/1']);
    expect(startsOf(world)).toHaveLength(1);
  });
});

describe('an abort', () => {
  it('ends the processes of the run before it says stopped; a resume repeats the step under the same id and reports it', async () => {
    const abort = new AbortController();
    const world = await open({
      root: agent('root', { role: 'root', skills: ['wait'] }),
      skills: [waiting],
      script: waiter(),
    });
    const running = world.run({ abort: abort.signal });
    await until('the tool runs', () => startsOf(world).length === 1);
    abort.abort();

    expect(await running).toMatchObject({ kind: 'ended', end: { status: 'stopped', reason: 'interrupted' } });
    expect(processesWith(startsOf(world)[0] ?? '')).toEqual([]);

    letGo(world);
    await world.runClaim(await world.resume());

    expect((await world.row()).status).toBe('completed');
    const starts = startsOf(world);
    expect(starts).toHaveLength(2);
    expect(starts[0]).toBe(starts[1]);
    expect(payloadsOf(await world.events(), 'step.repeated')).toMatchObject([
      { key: 'root/d0/t0/c0:wait', attempt: 2, step_id: starts[0] },
    ]);
  });

  it('that was made before the start runs nothing', async () => {
    let calls = 0;
    const world = await open({
      root: agent('root', { role: 'root' }),
      script: () => {
        calls += 1;
        return 'x';
      },
    });

    await world.run({ abort: AbortSignal.abort() });

    expect(await world.row()).toMatchObject({ status: 'stopped', reason: 'interrupted' });
    expect(calls).toBe(0);
  });

  it('that comes after the last answer changes nothing', async () => {
    const abort = new AbortController();
    const world = await open({
      root: agent('root', { role: 'root' }),
      script: () => 'x',
      wrap: (stores) =>
        committing(stores, (fence, writes) => {
          if (writes.some((write) => write.op === 'step.ended' && write.key === 'root')) abort.abort();
          return stores.runs.commit(fence, writes);
        }),
    });

    await world.run({ abort: abort.signal });

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'x' });
  });

  it.each([
    { doubt: 'fail', effects: 'write' },
    { doubt: 'repeat', effects: 'destructive' },
  ] as const)(
    'leaves a step with $effects effects and on_in_doubt $doubt in doubt: it is not done again, the model is told as data',
    async ({ doubt, effects }) => {
      const abort = new AbortController();
      const seen: unknown[] = [];
      const world = await open({
        root: agent('root', { role: 'root', skills: ['wait'] }),
        skills: [{ ...waiting, onInDoubt: doubt, effects }],
        script: ({ turn, request }) => {
          if (turn === 0) return [call('wait', { input: '' })];
          for (const part of request.messages.at(-1)?.parts ?? [])
            if (part.type === 'tool_result') seen.push(part.isError, part.output);
          return 'told';
        },
      });
      const running = world.run({ abort: abort.signal });
      await until('the tool runs', () => startsOf(world).length === 1);
      abort.abort();
      await running;
      letGo(world);

      await world.runClaim(await world.resume());

      expect(startsOf(world)).toHaveLength(1);
      expect(seen).toMatchObject([true, { status: 'failed', reason: 'in_doubt' }]);
      expect(payloadsOf(await world.events(), 'step.in_doubt')).toHaveLength(1);
      expect(payloadsOf(await world.events(), 'step.repeated')).toEqual([]);
    },
  );
});

describe('the time limit', () => {
  const LIMIT_MS = 60_000;

  /** Drained in its first call, of which the clock says that it took this long. */
  async function drainedOnce(
    usedMs: number,
    script: Script,
  ): Promise<{ readonly world: World; readonly skip: (ms: number) => void }> {
    const drain = new AbortController();
    const clock = settableClock();
    const drained: Script = (turn) => {
      if (!drain.signal.aborted) clock.skip(usedMs);
      drain.abort();
      return script(turn);
    };
    const world = await open({
      root: agent('root', { role: 'root', skills: ['wait'] }),
      skills: [waiting],
      timeoutMs: LIMIT_MS,
      clock,
      script: drained,
    });
    expect(await world.run({ drain: drain.signal })).toEqual({ kind: 'released' });
    return { world, skip: clock.skip };
  }

  it('does not count the time between two claims', async () => {
    const { world, skip } = await drainedOnce(30_000, ({ turn }) => (turn === 0 ? [call('nothing', {})] : 'in time'));
    skip(2 * LIMIT_MS);

    await world.runClaim(await world.claim());

    const row = await world.row();
    expect(row).toMatchObject({ status: 'completed', output: 'in time' });
    expect(row.executedMs).toBeGreaterThanOrEqual(30_000);
    expect(row.executedMs).toBeLessThan(LIMIT_MS);
  });

  it('counts what the claim before has used', async () => {
    const { world } = await drainedOnce(LIMIT_MS - 100, async ({ turn, signal }) => {
      if (turn === 0) return [call('nothing', {})];
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return 'never';
    });
    const { executedMs } = await world.row();
    expect(executedMs).toBeGreaterThanOrEqual(LIMIT_MS - 100);

    await world.runClaim(await world.claim());

    const row = await world.row();
    expect(row).toMatchObject({ status: 'failed', reason: 'timeout' });
    expect(row.executedMs).toBeLessThan(executedMs + LIMIT_MS);
  });
});

describe('a lease that is lost in the middle', () => {
  it('ends the work of the first worker without one more write, while a second goes on', async () => {
    const gate = Promise.withResolvers<void>();
    const elsewhere = { ...readWorkerHost(), hostname: 'elsewhere' };
    const settable = settableClock();
    // A lease that no slow machine outlasts, and heartbeats that come soon.
    const leaseMs = 600_000;
    const sleep: Clock['sleep'] = (ms, signal) => settable.sleep(ms === leaseMs / 3 ? 50 : ms, signal);
    let first = '';
    let calls = 0;
    let isStalled = false;
    const stalled = (stores: Stores): Stores => {
      const heartbeat: Stores['jobs']['heartbeat'] = async (fence, ...rest) => {
        if (fence.workerId === first) {
          isStalled = true;
          await gate.promise;
        }
        return stores.jobs.heartbeat(fence, ...rest);
      };
      return overriding(stores, { jobs: overriding(stores.jobs, { heartbeat }) });
    };
    const world = await open({
      root: agent('root', { role: 'root', skills: ['wait'] }),
      skills: [waiting],
      host: elsewhere,
      clock: { now: settable.now, sleep },
      leaseMs,
      recover: 'auto',
      wrap: stalled,
      script: async ({ turn }) => {
        calls += 1;
        if (calls === 1) await gate.promise;
        return turn === 0 ? [call('wait', { input: '' })] : `answer ${calls}`;
      },
    });
    first = world.job.workerId ?? '';
    const losing = world.run();
    await until('the first worker asks its model, and its heartbeat hangs', () => calls === 1 && isStalled);
    expect(await world.stores.jobs.sweep(readWorkerHost())).toHaveLength(0);
    settable.skip(leaseMs);
    expect(await world.stores.jobs.sweep(readWorkerHost())).toHaveLength(1);
    letGo(world);
    await world.runClaim(await world.claim());
    const before = {
      events: await world.events(),
      rows: await world.stores.runs.load(world.job.id),
      row: await world.row(),
    };
    expect(before.row).toMatchObject({ status: 'completed', output: 'answer 3', attempt: 2 });
    expect(payloadsOf(before.events, 'step.repeated')).toMatchObject([{ key: 'root/d0/t0' }]);

    gate.resolve();

    expect(await losing).toEqual({ kind: 'lost' });
    expect({
      events: await world.events(),
      rows: await world.stores.runs.load(world.job.id),
      row: await world.row(),
    }).toEqual(before);
    expect(startsOf(world)).toHaveLength(1);
    expect(calls).toBe(3);
  });
});

describe('a run that cannot go on as it was recorded', () => {
  async function stopped(): Promise<World> {
    const world = await open({
      root: agent('root', { role: 'root', skills: ['wait'] }),
      skills: [waiting],
      script: waiter(),
    });
    const running = world.run();
    await until('the tool runs', () => startsOf(world).length === 1);
    await world.requestStop();
    letGo(world);
    await running;
    return world;
  }
  const putJson = (world: World, value: unknown) =>
    world.stores.blobs.put(new TextEncoder().encode(JSON.stringify(value)));

  it.each([
    {
      name: 'another model',
      change: { models: { root: { provider: 'fake', model: 'fake-2', toolProvider: 'fake', toolModel: 'fake-2' } } },
    },
    {
      name: 'another executor',
      change: {
        topology: {
          name: 'test',
          version: '1.0.0',
          root: agent('root', {
            role: 'root',
            executor: { kind: 'plugin', ref: 'other', config: {}, onInDoubt: 'repeat' },
          }),
        },
      },
    },
    { name: 'a format of another version', change: { format: 99 } },
  ])('is stopped as diverged when its snapshot holds $name, and goes on with the right one', async ({ change }) => {
    const world = await stopped();
    const rows = await world.stores.runs.load(world.job.id);
    const job = await world.resume();

    await world.runClaim({ ...job, snapshot: await putJson(world, { ...world.snapshot, ...change }) });

    expect(await world.row()).toMatchObject({ status: 'stopped', reason: 'journal_diverged' });
    expect(await world.stores.runs.load(world.job.id)).toEqual(rows);
    await world.runClaim(await world.resume());
    expect(await world.row()).toMatchObject({ status: 'completed', output: 'waited' });
  });

  const failing = (world: World, error: Error) => ({
    stores: world.stores,
    clock: createClock(),
    log: silent,
    leaseMs: 60_000,
    defer: setImmediate,
    open: () => Promise.reject(error),
  });

  it('is failed with its code when nothing of it was done yet and it cannot be opened', async () => {
    const world = await open({ root: agent('root', { role: 'root' }), script: () => 'x' });

    await runJob(failing(world, new KitError('KIT_CREDENTIAL_UNRESOLVED', 'TOKEN is not set')), world.job);

    expect(await world.row()).toMatchObject({
      status: 'failed',
      reason: 'KIT_CREDENTIAL_UNRESOLVED',
      error: 'TOKEN is not set',
      leaseUntil: null,
    });
  });

  it('is stopped, not failed, when it has done work already, and goes on once the cause is fixed', async () => {
    const world = await stopped();

    await runJob(failing(world, new KitError('KIT_CREDENTIAL_UNRESOLVED', 'TOKEN is not set')), await world.resume());
    expect(await world.row()).toMatchObject({ status: 'stopped', reason: 'KIT_CREDENTIAL_UNRESOLVED' });

    await world.runClaim(await world.resume());
    expect(await world.row()).toMatchObject({ status: 'completed' });
    expect(startsOf(world)).toHaveLength(1);
  });
});

describe('a bug inside a step', () => {
  it('is the recorded outcome of that step, with one run.ended', async () => {
    const world = await open({
      root: agent('root', { role: 'root', children: [agent('child')] }),
      script: ({ agent: id }) => (id === 'root' ? [call('delegate_to_child', { task: 'x' })] : 'x'),
      snapshot: { models: { root: { provider: 'fake', model: 'fake-1', toolProvider: 'fake', toolModel: 'fake-1' } } },
    });

    await world.run();

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'internal_error' });
    expect(await failedSteps(world)).toEqual({ root: 'internal_error', 'root/d0/t0/c0:child': 'internal_error' });
  });
});

describe('a process that stood still between its claim and its first step', () => {
  it('counts its lease from when it asked, and starts no process in one that may be over', async () => {
    const leaseMs = 60_000;
    const world = await open({
      root: agent('root', { role: 'root', skills: ['wait'] }),
      skills: [waiting],
      leaseMs,
      script: waiter(),
      wrap: (stores) =>
        overriding(stores, {
          jobs: overriding(stores.jobs, { heartbeat: async () => ({ lost: true, stopRequested: false }) }),
        }),
    });
    letGo(world);

    expect(await world.run({ askedAtMs: Date.now() - leaseMs })).toEqual({ kind: 'lost' });
    expect(startsOf(world)).toEqual([]);
  });
});
