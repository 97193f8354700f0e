import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KitError } from '../../src/domain/errors.js';
import type { RunWrite } from '../../src/domain/journal.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import { fenceOf } from '../../src/worker/fence-of.js';
import { agent, call, commandSkill, type Script, type World } from '../support/run-world.js';
import { committing, lawfulWorlds, overriding } from './laws.js';

const open = lawfulWorlds();

/**
 * A store whose commits return late, one after another; `durable` holds the keys whose start is on
 * disk.
 */
function slowStore(
  durable: Set<string>,
  batches: (readonly RunWrite[])[],
  ticks: () => number,
): (stores: Stores) => Stores {
  return (stores) => {
    let last: Promise<unknown> = Promise.resolve();
    return committing(stores, (fence, writes) => {
      batches.push(writes);
      const done = last.then(async () => {
        for (let i = ticks(); i > 0; i -= 1) await new Promise((resolve) => setImmediate(resolve));
        await stores.runs.commit(fence, writes);
        for (const write of writes) if (write.op === 'step.started') durable.add(write.row.key);
      });
      last = done.catch(() => undefined);
      return done;
    });
  };
}

const tree = agent('root', {
  role: 'root',
  skills: ['mark'],
  children: [agent('a', { skills: ['mark'] }), agent('b', { skills: ['mark'] })],
});
const mark = commandSkill('mark', ['sh', '-c', 'echo "$KIT_STEP_ID" >> marks']);
const script: Script = ({ agent: id, turn }) => {
  if (id === 'root')
    return turn === 0
      ? [call('delegate_to_a', { task: 'x' }), call('mark', { input: '' }), call('delegate_to_b', { task: 'x' })]
      : 'done';
  return turn < 2 ? [call('mark', { input: `${turn}` })] : `${id} done`;
};

describe('an effect', () => {
  it.each([0, 3, 40])(
    'begins only when the row of its step is durable (commits late by %d turns of the event loop)',
    async (late) => {
      const durable = new Set<string>();
      const early: string[] = [];
      const batches: (readonly RunWrite[])[] = [];
      let spawned = 0;
      let asked = 0;
      const world: World = await open({
        root: tree,
        skills: [mark],
        wrap: slowStore(durable, batches, () => late),
        script: (turn) => {
          asked += 1;
          return script(turn);
        },
        facilities: (base) => ({
          provider: async (binding, key) => {
            const real = await base.provider(binding, key);
            return overriding(real, {
              generate: async (request, options) => {
                if (!(await keysOf(world, options.stepId, durable))) early.push(`model ${options.stepId}`);
                return real.generate(request, options);
              },
            });
          },
          processes: {
            spawn: (spec, lease, signal) => {
              spawned += 1;
              const stepId = spec.env.KIT_STEP_ID ?? '';
              if (!idsOf(batches, durable).has(stepId)) early.push(`process ${stepId}`);
              return base.processes.spawn(spec, lease, signal);
            },
          },
        }),
      });

      await world.run();

      expect((await world.row()).status).toBe('completed');
      expect(early).toEqual([]);
      expect({ spawned, asked }).toEqual({ spawned: 5, asked: 8 });
    },
  );

  it('does not begin when the commit of its row fails, and nothing is written after it', async () => {
    const handed: string[] = [];
    let isBroken = false;
    const world = await open({
      root: tree,
      skills: [mark],
      script,
      wrap: (stores) =>
        committing(stores, (fence, writes) => {
          if (
            isBroken ||
            writes.some((write) => write.op === 'step.started' && write.row.key === 'root/d0/t0/c1:mark')
          ) {
            isBroken = true;
            return Promise.reject(new KitError('KIT_STORE_BUSY', 'the disk is full'));
          }
          handed.push(...writes.map((write) => write.op));
          return stores.runs.commit(fence, writes);
        }),
    });

    expect(await world.run()).toMatchObject({ kind: 'lost' });

    expect(existsSync(join(world.dir, 'marks'))).toBe(false);
    expect(await world.row()).toMatchObject({ status: 'running' });
    expect(handed).not.toContain('run.ended');
  });
});

describe('the price of a step', () => {
  it('is one commit: the end of one and the start of the next share it', async () => {
    const batches: (readonly RunWrite[])[] = [];
    const world = await open({
      root: agent('root', { role: 'root', skills: ['mark'] }),
      skills: [mark],
      script: ({ turn }) => (turn < 5 ? [call('mark', { input: `${turn}` })] : 'done'),
      wrap: slowStore(new Set(), batches, () => 0),
    });

    await world.run();

    const steps = (await world.stores.runs.load(world.job.id)).length;
    // 6 model calls, 5 tool calls, 1 activation; its start, the last ends and the run's end stand
    // alone.
    expect(steps).toBe(12);
    expect(batches.length).toBeLessThanOrEqual(steps + 3);
    expect(batches.filter((batch) => batch.length === 2)).toHaveLength(10);
  });
});

describe('a run that is resumed after its end was cut off', () => {
  it('writes what is missing and emits nothing for what is there', async () => {
    let fail = true;
    const world = await open({
      root: tree,
      skills: [mark],
      script,
      wrap: (stores) =>
        committing(stores, (fence, writes) =>
          fail && writes.some((write) => write.op === 'run.ended')
            ? Promise.reject(new KitError('KIT_STORE_BUSY', 'busy'))
            : stores.runs.commit(fence, writes),
        ),
    });
    expect(await world.run()).toMatchObject({ kind: 'lost' });
    const before = await world.events();
    fail = false;

    await world.stores.jobs.release(fenceOf(world.job));
    await world.runClaim(await world.claim());

    expect((await world.events()).slice(0, -1)).toEqual(before);
    expect(await world.row()).toMatchObject({ status: 'completed', output: 'done' });
    expect(readFileSync(join(world.dir, 'marks'), 'utf8').trim().split('\n')).toHaveLength(5);
  });
});

/** Is the step with this id on disk? */
async function keysOf(world: World, stepId: string, durable: ReadonlySet<string>): Promise<boolean> {
  const row = (await world.stores.runs.load(world.job.id)).find((one) => one.stepId === stepId);
  return row !== undefined && durable.has(row.key);
}

/** Ids of the steps whose start is durable. */
function idsOf(batches: readonly (readonly RunWrite[])[], durable: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(
    batches
      .flat()
      .flatMap((write) => (write.op === 'step.started' && durable.has(write.row.key) ? [write.row.stepId] : [])),
  );
}
