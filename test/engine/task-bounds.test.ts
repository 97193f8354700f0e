import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { TaskBounds } from '../../src/domain/linked-topology.js';
import { gatedBy, ONE_ROLE } from '../support/gated.js';
import { agent, call, commandSkill, type World, type WorldOptions } from '../support/run-world.js';
import { failedSteps, lawfulWorlds, payloadsOf } from './laws.js';

const open = lawfulWorlds();

interface Bounded extends Omit<WorldOptions, 'snapshot'> {
  readonly tasks: Partial<TaskBounds>;
}

async function run({ tasks, ...options }: Bounded): Promise<World> {
  const world = await open({ ...options, snapshot: { tasks: { maxConcurrent: null, timeoutMs: null, ...tasks } } });
  await world.run();
  return world;
}

const delegate = (child: string, task = 'x') => call(`delegate_to_${child}`, { task }, `id-${child}-${task}`);

/** How many calls were under way at once. */
function crowd() {
  let now = 0;
  const seen = { most: 0 };
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    now += 1;
    seen.most = Math.max(seen.most, now);
    try {
      return await work();
    } finally {
      now -= 1;
    }
  };
  return { seen, during };
}

const NAMES = ['a', 'b', 'c', 'd'];

async function mostAtOnce(maxConcurrent: number | null): Promise<number> {
  const { seen, during } = crowd();
  const world = await run({
    tasks: { maxConcurrent },
    root: agent('root', { role: 'root', children: NAMES.map((id) => agent(id)) }),
    script: ({ agent: id, turn }) => {
      if (id === 'root') return turn === 0 ? NAMES.map((name) => delegate(name)) : 'done';
      return during(async () => {
        await pause(20);
        return `${id} was there`;
      });
    },
  });
  expect((await world.row()).status).toBe('completed');
  return seen.most;
}

describe('agents that work at the same time', () => {
  it.each([
    [1, 1],
    [2, 2],
    [null, 4],
  ])('are at most as many as %s, of four that are asked: %i', async (max, most) => {
    expect(await mostAtOnce(max)).toBe(most);
  });

  it('leave their place while they wait for agents below them', async () => {
    const { seen, during } = crowd();
    const world = await run({
      tasks: { maxConcurrent: 1 },
      root: agent('root', {
        role: 'root',
        children: ['a', 'b'].map((id) => agent(id, { children: [agent(`${id}1`), agent(`${id}2`)] })),
      }),
      script: ({ agent: id, turn }) =>
        during(async () => {
          await pause(5);
          if (turn > 0) return `${id} is done`;
          if (id === 'root') return [delegate('a'), delegate('b')];
          return id.length === 1 ? [delegate(`${id}1`), delegate(`${id}2`)] : `${id} is done`;
        }),
    });

    expect((await world.row()).status).toBe('completed');
    expect(seen.most).toBe(1);
    expect(payloadsOf(await world.events(), 'agent.completed').map(({ status }) => status)).toEqual(
      Array.from({ length: 7 }, () => 'ok'),
    );
  });

  it('leave their place while they wait for their turn at a gate', async () => {
    const { snapshot, ...gate } = gatedBy(ONE_ROLE);
    const gated = agent('a', { funnel: 'sign-off', children: [agent('below')] });
    const world = await open({
      root: agent('root', { role: 'root', children: [gated] }),
      ...gate,
      snapshot: { ...snapshot, tasks: { maxConcurrent: 1, timeoutMs: null } },
      script: ({ agent: id, turn }) => {
        if (id === 'root') return turn === 0 ? [delegate('a', 'first'), delegate('a', 'second')] : 'done';
        return id === 'a' && turn === 0 ? [delegate('below')] : `${id} is done`;
      },
    });

    expect(await world.run()).toMatchObject({ kind: 'parked' });
    expect(payloadsOf(await world.events(), 'funnel.gate_opened')).toHaveLength(1);
  });

  it('have the same keys as without a bound', async () => {
    const keysOf = async (tasks: Partial<TaskBounds>) => {
      const world = await run({
        tasks,
        root: agent('root', { role: 'root', children: NAMES.map((id) => agent(id)) }),
        script: ({ agent: id, turn }) =>
          id === 'root' && turn === 0 ? NAMES.map((name) => delegate(name)) : `${id} is done`,
      });
      return (await world.stores.runs.load(world.job.id)).map(({ key }) => key).toSorted();
    };

    expect(await keysOf({ maxConcurrent: 1 })).toEqual(await keysOf({}));
  });

  it('do not start when a sibling has failed before their turn', async () => {
    const started: string[] = [];
    const world = await run({
      tasks: { maxConcurrent: 1 },
      root: agent('root', { role: 'root', children: NAMES.map((id) => agent(id)) }),
      script: ({ agent: id, turn }) => {
        if (id === 'root') return turn === 0 ? NAMES.map((name) => delegate(name)) : 'done';
        started.push(id);
        return { ok: false, failure: { kind: 'bad_request', message: 'no', status: 400, retryAfterMs: null } };
      },
    });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'provider.bad_request' });
    expect(started).toEqual(['a']);
  });
});

/** Answers when it is told to end. */
const until = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve('too late'), { once: true }));

describe('the working time of an agent', () => {
  it('ends the call that is under way, the agent and what needed it, and leaves no step open', async () => {
    const world = await run({
      tasks: { timeoutMs: 100 },
      root: agent('root', { role: 'root', children: [agent('slow')] }),
      script: ({ agent: id, turn, signal }) => {
        if (id === 'root') return turn === 0 ? [delegate('slow')] : 'done';
        return until(signal);
      },
    });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'task_timeout' });
    const rows = await world.stores.runs.load(world.job.id);
    expect(rows.filter(({ agentId, outcome }) => agentId === 'slow' && outcome?.status !== 'failed')).toEqual([]);
    expect(new Set(Object.values(await failedSteps(world)))).toEqual(new Set(['task_timeout']));
    expect(payloadsOf(await world.events(), 'agent.completed')[0]).toMatchObject({
      status: 'failed',
      reason: 'task_timeout',
    });
  });

  it('does not run while agents below are at work', async () => {
    const world = await run({
      tasks: { timeoutMs: 1500 },
      root: agent('root', { role: 'root', children: NAMES.map((id) => agent(id)) }),
      script: async ({ agent: id, turn }) => {
        if (id === 'root') return turn < NAMES.length ? [delegate(NAMES[turn] ?? '')] : 'done';
        await pause(600);
        return 'in time';
      },
    });

    expect((await world.row()).status).toBe('completed');
  });

  it('counts several calls of one agent together', async () => {
    const world = await run({
      tasks: { timeoutMs: 300 },
      root: agent('root', { role: 'root', skills: ['say'] }),
      skills: [commandSkill('say', ['echo', 'hi'])],
      script: async ({ turn, signal }) => {
        await Promise.race([pause(80), until(signal)]);
        return turn < 20 ? [call('say', { input: String(turn) })] : 'done';
      },
    });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'task_timeout' });
  });

  it('ends the process of a command', async () => {
    const world = await run({
      tasks: { timeoutMs: 300 },
      root: agent('root', { role: 'root', skills: ['wait'] }),
      skills: [commandSkill('wait', ['sleep', '60'])],
      script: ({ turn }) => (turn === 0 ? [call('wait', { input: '' })] : 'done'),
    });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'task_timeout' });
    const rows = await world.stores.runs.load(world.job.id);
    expect(rows.filter(({ outcome }) => outcome === null)).toEqual([]);
  });
});
