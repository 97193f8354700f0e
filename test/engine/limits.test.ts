import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/domain/json.js';
import type { MessagePart, ModelRequest } from '../../src/domain/ports/model.js';
import { toolsIn } from '../support/deciding.js';
import { agent, call, commandSkill, type Script, type World, type WorldOptions } from '../support/run-world.js';
import { lawfulWorlds, payloadsOf } from './laws.js';

const open = lawfulWorlds();

async function run(options: WorldOptions): Promise<World> {
  const world = await open(options);
  await world.run();
  return world;
}

const resultsIn = (request: ModelRequest): readonly Extract<MessagePart, { type: 'tool_result' }>[] =>
  (request.messages.at(-1)?.parts ?? []).flatMap((part) => (part.type === 'tool_result' ? [part] : []));

const statusOf = (part: Extract<MessagePart, { type: 'tool_result' }>): string =>
  typeof part.output === 'object' && part.output !== null && 'status' in part.output
    ? `${part.output.status}:${Reflect.get(part.output, 'reason')}`
    : 'ok';

const look = commandSkill('look', ['true'], { effects: 'write' });

describe('step limits', () => {
  /**
   * Children that take `turns` model calls each, answering in the order that the permutation names.
   */
  function racing(order: readonly string[], calls: string[], turns: number): Script {
    return async ({ agent: id, turn }) => {
      calls.push(id);
      if (id === 'root')
        return turn === 0 ? ['a', 'b', 'c'].map((child) => call(`delegate_to_${child}`, { task: 'x' })) : 'done';
      // Each answers only after those before it in the order had some turns of the event loop to
      // run ahead.
      const place = order.indexOf(id);
      for (let i = 0; i < place * 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
      return turn < turns - 1 ? [call('look', { input: String(turn) })] : `${id} done`;
    };
  }

  const orders = [
    ['a', 'b', 'c'],
    ['a', 'c', 'b'],
    ['b', 'a', 'c'],
    ['b', 'c', 'a'],
    ['c', 'a', 'b'],
    ['c', 'b', 'a'],
  ];
  const children = ['a', 'b', 'c'].map((id) => agent(id, { skills: ['look'] }));
  // Root twice, three children with two calls each: eight in all.
  const cases = orders.flatMap((order) => [1, 2, 4, 6, 7].map((max) => ({ order: order.join(''), max })));

  it.each(cases)('a run that answers in the order $order makes $max calls and not one more', async ({ order, max }) => {
    const calls: string[] = [];

    const world = await run({
      root: agent('root', { role: 'root', children }),
      skills: [look],
      limits: { maxStepsPerRun: max },
      script: racing([...order], calls, 2),
    });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'limit.max_steps_per_run' });
    const rows = await world.stores.runs.load(world.job.id);
    // Reserved before a call is made; a breach beside it can come between.
    const units = rows.reduce((sum, row) => sum + row.units, 0);
    expect(units).toBeLessThanOrEqual(max);
    expect(calls.length).toBeLessThanOrEqual(units);
    expect(payloadsOf(await world.events(), 'limit.breached')[0]).toEqual({
      limit: 'max_steps_per_run',
      limit_value: max,
      actual: max + 1,
    });
  });

  it.each(orders.map((order) => order.join('')))(
    'a limit that the run just reaches is not a breach (%s)',
    async (order) => {
      const calls: string[] = [];

      const world = await run({
        root: agent('root', { role: 'root', children }),
        skills: [look],
        limits: { maxStepsPerRun: 8 },
        script: racing([...order], calls, 2),
      });

      expect(await world.row()).toMatchObject({ status: 'completed', output: 'done' });
      expect(calls).toHaveLength(8);
    },
  );

  it('max_steps_per_agent counts an agent over all of its activations', async () => {
    const calls: string[] = [];
    const script: Script = ({ agent: id, turn }) => {
      calls.push(id);
      // One after the other: a breach beside it can come between a reserved step and its call.
      if (id === 'root') return turn < 3 ? [call('delegate_to_a', { task: String(turn) })] : 'done';
      return turn === 0 ? [call('look', { input: 'x' })] : 'ok';
    };

    const world = await run({
      root: agent('root', { role: 'root', children: [agent('a', { skills: ['look'] })] }),
      skills: [look],
      limits: { maxStepsPerAgent: 3 },
      script,
    });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'limit.max_steps_per_agent' });
    expect(calls.filter((id) => id === 'a')).toHaveLength(3);
    expect(payloadsOf(await world.events(), 'limit.breached')).toEqual([
      { limit: 'max_steps_per_agent', limit_value: 3, actual: 4 },
    ]);
  });

  it('counts what the claims before counted', async () => {
    let calls = 0;
    const world = await open({
      root: agent('root', { role: 'root', skills: ['look'] }),
      skills: [look],
      limits: { maxStepsPerRun: 3 },
      script: async () => {
        calls += 1;
        if (calls === 2) await world.requestStop();
        return [call('look', { input: String(calls) })];
      },
    });
    await world.run();
    expect(await world.row()).toMatchObject({ status: 'stopped', reason: 'stop_requested' });

    await world.runClaim(await world.resume());

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'limit.max_steps_per_run' });
    expect(calls).toBe(3);
  });
});

describe('the cost limit', () => {
  it.each([
    { max: 0.0025, calls: 3, actual: 0.003 },
    { max: 0.001, calls: 1, actual: 0.001 },
    { max: 0, calls: 0, actual: 0 },
  ])('of $max ends the run after $calls calls', async ({ max, calls, actual }) => {
    let made = 0;

    const world = await run({
      root: agent('root', { role: 'root', skills: ['look'] }),
      skills: [look],
      limits: { maxCostPerRunUsd: max },
      script: () => {
        made += 1;
        return [call('look', { input: String(made) })];
      },
    });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'limit.max_cost_per_run_usd' });
    expect(made).toBe(calls);
    const [breach] = payloadsOf(await world.events(), 'limit.breached');
    expect(breach?.actual).toBeCloseTo(actual, 9);
  });

  it('is broken by a call whose cost nobody knows', async () => {
    const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, costUsd: null };
    const provider = {
      price: () => null,
      generate: async () =>
        ({ ok: true, response: { parts: [{ type: 'text', text: 'x' }], finish: 'stop', usage, model: 'm' } }) as const,
    };

    const world = await run({
      root: agent('root', { role: 'root' }),
      script: () => '',
      limits: { maxCostPerRunUsd: 100 },
      facilities: () => ({ provider: async () => provider }),
    });

    expect(await world.row()).toMatchObject({
      status: 'failed',
      reason: 'limit.max_cost_per_run_usd',
      usage: { costUsd: null },
    });
    expect(payloadsOf(await world.events(), 'limit.breached')).toEqual([
      { limit: 'max_cost_per_run_usd', limit_value: 100, actual: null },
    ]);
  });

  it('does not hide why a step failed by itself', async () => {
    const world = await run({
      root: agent('root', { role: 'root' }),
      limits: { maxCostPerRunUsd: 0.0001 },
      script: () => ({
        ok: true,
        response: {
          parts: [],
          finish: 'content_filter',
          usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 1 },
          model: 'm',
        },
      }),
    });

    expect(await world.row()).toMatchObject({
      status: 'failed',
      reason: 'provider.content_filter',
      usage: { costUsd: 1 },
    });
    expect(payloadsOf(await world.events(), 'limit.breached')).toHaveLength(1);
  });
});

describe('limits of a response and of an activation', () => {
  async function answers(
    options: Omit<WorldOptions, 'script'>,
    turns: readonly (readonly MessagePart[])[],
  ): Promise<{ readonly world: World; readonly statuses: string[][]; readonly requests: ModelRequest[] }> {
    const statuses: string[][] = [];
    const requests: ModelRequest[] = [];
    const world = await run({
      ...options,
      script: ({ agent: id, turn, request }) => {
        if (id !== 'root') return `${id} did it`;
        requests.push(request);
        if (turn > 0) statuses.push(resultsIn(request).map(statusOf));
        return turns[turn] ?? 'done';
      },
    });
    return { world, statuses, requests };
  }

  const looks = (count: number, name = 'look'): readonly MessagePart[] =>
    Array.from({ length: count }, (_, i) => call(name, { input: String(i) }, `id-${i}`));
  const root = agent('root', { role: 'root', skills: ['look', 'list-all', 'declared', 'peek'] });
  const skills = [
    look,
    commandSkill('list-all', ['true'], { effects: 'unknown' }),
    commandSkill('declared', ['true'], { effects: 'read' }),
    commandSkill('peek', ['true'], { effects: 'unknown' }),
  ];

  it('KIT_MAX_TOOLS: the calls beyond it are refused, and every call has its result in its place', async () => {
    const { world, statuses } = await answers({ root, skills, env: { KIT_MAX_TOOLS: 2 } }, [looks(4)]);

    expect(statuses).toEqual([['ok', 'ok', 'refused:too_many_calls', 'refused:too_many_calls']]);
    expect(payloadsOf(await world.events(), 'tool.refused')).toHaveLength(2);
    expect(payloadsOf(await world.events(), 'skill.executed')).toHaveLength(2);
  });

  it.each([
    { name: 'look', why: 'a declared write' },
    { name: 'peek', why: 'unknown effects without a name that says read' },
  ])('KIT_MAX_PER_TOOL bounds $why in each turn, and in a run of before over the activation', async ({ name }) => {
    const env = { KIT_MAX_PER_TOOL: 3, KIT_MAX_PER_READ_TOOL: 5 };
    const of = async (ruleSet: number, ...turns: readonly number[]) =>
      (
        await answers(
          { root, skills, env, snapshot: { ruleSet } },
          turns.map((count) => looks(count, name)),
        )
      ).statuses;

    const all = ['ok', 'ok', 'ok'];
    expect(await of(2, 3, 4)).toEqual([all, [...all, 'refused:call_limit']]);
    expect(await of(1, 2, 2, 1)).toEqual([['ok', 'ok'], ['ok', 'refused:call_limit'], ['refused:call_limit']]);
  });

  it.each([
    { name: 'declared', why: 'declared effects', env: {} },
    { name: 'list-all', why: 'its prefix', env: {} },
    { name: 'peek', why: 'its place in KIT_READ_TOOLS', env: { KIT_READ_TOOLS: 'x, peek' } },
  ])('KIT_MAX_PER_READ_TOOL bounds a read tool, known by $why', async ({ name, env }) => {
    const { statuses } = await answers(
      { root, skills, env: { KIT_MAX_PER_TOOL: 1, KIT_MAX_PER_READ_TOOL: 3, ...env } },
      [looks(4, name)],
    );

    expect(statuses).toEqual([['ok', 'ok', 'ok', 'refused:call_limit']]);
  });

  it('KIT_MAX_TOOL_TURNS: the last turn may call no tools, and calls that come all the same are refused', async () => {
    const turns = [looks(1), looks(1), looks(1)];
    const { world, statuses, requests } = await answers({ root, skills, env: { KIT_MAX_TOOL_TURNS: 2 } }, turns);

    expect(requests.map(toolsIn)).toEqual(['4 auto', '4 auto', '4 none', '4 none']);
    expect(statuses).toEqual([['ok'], [], ['refused:call_limit']]);
    expect(await world.row()).toMatchObject({ status: 'completed', output: 'done' });
  });

  it('KIT_MAX_DELEGATIONS_PER_CHILD: the call beyond it is refused, and the tool stays where it was', async () => {
    const tasks = (count: number): readonly MessagePart[] =>
      Array.from({ length: count }, (_, i) => call('delegate_to_a', { task: `t${i}` }, `id-${i}`));
    const { statuses, requests } = await answers(
      {
        root: agent('root', { role: 'root', skills: ['look'], children: [agent('a')] }),
        skills,
        env: { KIT_MAX_DELEGATIONS_PER_CHILD: 2 },
      },
      [tasks(1), tasks(2)],
    );

    expect(statuses).toEqual([['ok'], ['ok', 'refused:call_limit']]);
    for (const { tools } of requests) expect(tools.map(({ name }) => name)).toEqual(['delegate_to_a', 'look']);
  });

  it('KIT_MAX_DELEGATIONS_PER_CHILD counts each child that the waves of a response run', async () => {
    const children = [agent('a'), agent('b', { dependsOn: ['a'] })];
    const { world, statuses } = await answers(
      {
        root: agent('root', { role: 'root', children, skills: ['look'] }),
        skills,
        env: { KIT_MAX_DELEGATIONS_PER_CHILD: 2 },
      },
      [
        [call('delegate_to_a', { task: '1' }), call('delegate_to_b', { task: '1' })],
        [call('delegate_to_b', { task: '2' })],
        [call('delegate_to_a', { task: '3' })],
      ],
    );

    expect(statuses).toEqual([['ok', 'ok'], [], ['refused:call_limit']]);
    const started = payloadsOf(await world.events(), 'agent.started').map((payload) => payload.activation);
    expect(started.filter((key) => String(key).endsWith('/a'))).toHaveLength(2);
  });

  it('calls with the same id are answered each in its place', async () => {
    const { statuses } = await answers({ root, skills, env: { KIT_MAX_TOOLS: 2 } }, [
      [call('look', { input: '1' }, 'x'), call('nope', {}, 'x'), call('look', { input: '2' }, 'x')],
    ]);

    expect(statuses).toEqual([['ok', 'refused:unknown_tool', 'refused:too_many_calls']]);
  });

  it.each([100, 101, 5000])(
    'KIT_MAX_RESULT_CHARS of 100 lets a result of %d characters through as it is, or both of its ends',
    async (length) => {
      let seen = '';
      await run({
        root,
        skills: [
          commandSkill('look', [
            process.execPath,
            '-e',
            `process.stdout.write('a'.repeat(50) + 'q'.repeat(${length} - 100) + 'z'.repeat(50))`,
          ]),
        ],
        env: { KIT_MAX_RESULT_CHARS: 100 },
        script: ({ turn, request }) => {
          if (turn === 0) return looks(1);
          seen = String(resultsIn(request)[0]?.output);
          return 'done';
        },
      });

      expect(seen.startsWith('a'.repeat(50))).toBe(true);
      expect(seen.endsWith('z'.repeat(50))).toBe(true);
      expect(seen.includes('q')).toBe(false);
      expect(seen.includes(`(${length - 100} of ${length} characters are left out here; context_retrieve`)).toBe(
        length > 100,
      );
    },
  );

  it('KIT_MAX_RESULT_CHARS bounds what a failure says, too', async () => {
    let output: JsonObject = {};
    await run({
      root,
      skills: [
        commandSkill('look', [process.execPath, '-e', `process.stderr.write('e'.repeat(5000)); process.exit(1)`]),
      ],
      env: { KIT_MAX_RESULT_CHARS: 200 },
      script: ({ turn, request }) => {
        if (turn === 0) return looks(1);
        output = resultsIn(request)[0]?.output as JsonObject;
        return 'done';
      },
    });

    expect(output).toMatchObject({ status: 'failed', reason: 'exit_code' });
    expect(JSON.stringify(output).length).toBeLessThan(500);
  });

  it.each([0, 1, 2])('KIT_AGENT_RETRIES of %d asks that often again for an empty answer', async (retries) => {
    let calls = 0;
    const world = await run({
      root: agent('root', { role: 'root', skills: ['look'] }),
      skills,
      env: { KIT_AGENT_RETRIES: retries },
      script: () => {
        calls += 1;
        return ' ';
      },
    });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'empty_answer' });
    expect(calls).toBe(retries + 1);
  });
});
