import { describe, expect, it } from 'vitest';
import type { RunWrite } from '../../../src/domain/journal.js';
import type { Stores } from '../../../src/domain/ports/stores.js';
import { decide, gatedBy, goOn, ONE_ROLE, reviews, TWO_ROLES, typesOf } from '../../support/gated.js';
import { agent, type World } from '../../support/run-world.js';
import { committing, lawfulWorlds } from '../laws.js';

const open = lawfulWorlds();
const root = agent('writer', { role: 'root', funnel: 'sign-off' });

/** Calls `at` once, just before or after the first write of this kind is committed. */
function around(op: RunWrite['op'], when: 'before' | 'after', at: () => Promise<unknown>): (stores: Stores) => Stores {
  let isDone = false;
  return (stores) =>
    committing(stores, async (fence, writes) => {
      const isHere =
        !isDone &&
        writes.some(
          (write) => write.op === op && (op !== 'step.started' || (write.op === op && write.opens !== undefined)),
        );
      if (isHere) isDone = true;
      if (isHere && when === 'before') await at();
      await stores.runs.commit(fence, writes);
      if (isHere && when === 'after') await at();
    });
}

describe('a decision that falls', () => {
  it.each([
    ['before the run parks', around.bind(null, 'step.started', 'after'), 0],
    ['while the run parks', around.bind(null, 'run.parked', 'before'), 0],
    ['just after the run has parked', around.bind(null, 'run.parked', 'after'), 1],
  ] as const)('%s wakes it exactly once', async (_when, wrap, wakes) => {
    let asked = 0;
    const world: World = await open({
      root,
      ...gatedBy(ONE_ROLE),
      script: () => {
        asked += 1;
        return 'draft';
      },
      wrap: wrap(() => decide(world, { role: 'qa' })),
    });

    const result = await world.run();
    if (wakes === 0) expect(result).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
    else {
      expect(result).toMatchObject({ kind: 'parked' });
      expect((await world.row()).status).toBe('pending');
      await goOn(world);
    }

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'draft' });
    expect(asked).toBe(1);
    const types = await typesOf(world);
    expect(types.filter((type) => type === 'run.resumed')).toHaveLength(wakes);
    expect(types.filter((type) => type === 'run.parked')).toHaveLength(wakes);
    expect(types.filter((type) => type === 'approval.gate_resolved')).toHaveLength(1);
    await expect(world.claim()).rejects.toThrow('not waiting');
  });

  it('on a run that is to wait for an explicit resume leaves it parked', async () => {
    const world = await open({
      root,
      roles: gatedBy(ONE_ROLE).roles,
      snapshot: { ...gatedBy(ONE_ROLE).snapshot, autoResume: false },
      script: () => 'draft',
    });
    await world.run();
    await decide(world, { role: 'qa' });

    expect(await world.row()).toMatchObject({ status: 'deferred' });
    await expect(world.claim()).rejects.toThrow('not waiting');
    await world.runClaim(await world.resume());
    expect(await world.row()).toMatchObject({ status: 'completed', output: 'draft' });
  });
});

it('the first commit after a decision is that of the resumed agent', async () => {
  let decidedAt: number | null = null;
  const tookMs: number[] = [];
  const firstEvents: string[][] = [];
  const world = await open({
    root,
    ...gatedBy(ONE_ROLE),
    script: () => `draft ${tookMs.length}`,
    wrap: (stores) =>
      committing(stores, async (fence, writes) => {
        await stores.runs.commit(fence, writes);
        if (decidedAt !== null) {
          firstEvents.push(writes.flatMap((write) => write.events.map(({ type }) => type)));
          tookMs.push(performance.now() - decidedAt);
          decidedAt = null;
        }
      }),
  });
  await world.run();
  for (let round = 0; round < 7; round += 1) {
    await decide(world, { role: 'qa', outcome: 'changes_requested', comment: 'again' });
    decidedAt = performance.now();
    await goOn(world);
  }

  console.log(`from decision to first event: ${tookMs.map((ms) => ms.toFixed(1)).join(', ')} ms`);
  expect(firstEvents).toEqual(Array.from({ length: 7 }, () => ['rework']));
});

describe('a parked run', () => {
  it('parks again, and announces nothing, when it is resumed before anybody decided', async () => {
    const world = await open({ root, ...gatedBy(TWO_ROLES), script: () => 'draft' });
    await world.run();
    await decide(world, { role: 'qa' });
    const before = await reviews(world);

    expect(await world.runClaim(await world.resume())).toMatchObject({ kind: 'parked' });

    const after = await reviews(world);
    expect({ ...after, now: '' }).toEqual({ ...before, now: '' });
    expect((await typesOf(world)).slice(-2)).toEqual(['run.resumed', 'run.parked']);
    expect((await typesOf(world)).filter((type) => type === 'funnel.gate_opened')).toHaveLength(1);
    await decide(world, { role: 'ops' });
    await goOn(world);
    expect((await world.row()).status).toBe('completed');
  });

  it('that is stopped keeps its gate for the resume', async () => {
    const world = await open({ root, ...gatedBy(ONE_ROLE), script: () => 'draft' });
    await world.run();
    await world.requestStop();
    expect((await world.row()).status).toBe('stopped');
    await expect(decide(world, { role: 'qa' })).rejects.toThrow(/stopped/);

    expect(await world.runClaim(await world.resume())).toMatchObject({ kind: 'parked' });
    await decide(world, { role: 'qa' });
    await goOn(world);
    expect((await world.row()).status).toBe('completed');
  });

  it('that was asked to stop while it parked is stopped', async () => {
    const world: World = await open({
      root,
      ...gatedBy(ONE_ROLE),
      script: () => 'draft',
      wrap: around('run.parked', 'before', () => world.requestStop()),
    });
    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'stopped', reason: 'stop_requested' } });
    expect((await world.row()).status).toBe('stopped');
  });

  it('does not pay for the time that people take', async () => {
    let ms = Date.parse('2026-01-01T00:00:00Z');
    const clock = {
      now: () => ms,
      sleep: (_ms: number, signal?: AbortSignal) =>
        new Promise<void>((_, reject) =>
          signal?.addEventListener('abort', () => reject(new Error('awake')), { once: true }),
        ),
    };
    const world = await open({
      root,
      ...gatedBy(ONE_ROLE),
      clock,
      timeoutMs: 60_000,
      script: () => {
        ms += 5_000;
        return 'draft';
      },
    });
    await world.run();
    expect((await world.row()).executedMs).toBe(5_000);
    ms += 7 * 24 * 3_600_000;
    await decide(world, { role: 'qa' });
    await goOn(world);
    expect(await world.row()).toMatchObject({ status: 'completed', executedMs: 5_000 });
  });
});
