import { describe, expect, it } from 'vitest';
import type { AgentNode } from '../../src/domain/agent-node.js';
import type { Usage } from '../../src/domain/job.js';
import type { ExecutorResult } from '../../src/domain/ports/executor.js';
import type { ToolAnswer } from '../../src/domain/ports/tools.js';
import { reduceRun } from '../../src/view/reduce-run.js';
import { EMPTY_RUN } from '../../src/view/run-view.js';
import { costOf } from '../../src/view/usage-view.js';
import { fakeServer, serverTool, toolSkill } from '../support/fake-tools.js';
import { agent, call, type Script, type World, type WorldOptions } from '../support/run-world.js';
import { failedSteps, lawfulWorlds, payloadsOf } from './laws.js';
import { withTools } from './tools/tool-world.js';

const open = lawfulWorlds();
const planning = { scopeRequired: false, twoPhase: false, synthesisRoles: ['self'], synthesizerRole: 'synthesizer' };
const breaches = async (world: World) => payloadsOf(await world.events(), 'limit.breached');
const unitsOf = async (world: World) =>
  (await world.stores.runs.load(world.job.id)).reduce((sum, row) => sum + row.units, 0);

/**
 * What the views make of the log has to be what the row of the run says: each cost counts once,
 * wherever it is looked at.
 */
async function costEverywhere(world: World): Promise<number | null | undefined> {
  const view = (await world.events()).reduce(reduceRun, EMPTY_RUN);
  const { usage } = await world.row();
  expect(costOf(view.usage)).toBeCloseTo(usage?.costUsd ?? Number.NaN, 9);
  return usage?.costUsd;
}

describe('a limit in the middle of a batch', () => {
  const root = agent('root', { role: 'root', children: [agent('a'), agent('b'), agent('c')] });
  const tasks = ['a', 'b', 'c'].map((id) => ({ id, agent: id, instruction: `do ${id}` }));
  /** Each call costs 0.001. */
  const script =
    (calls: string[], before: (id: string) => Promise<void> = async () => {}): Script =>
    async ({ agent: id, turn }) => {
      calls.push(id);
      await before(id);
      return id !== 'root' ? `${id} did it` : turn === 0 ? [call('create-task-plan', { tasks })] : 'done';
    };
  const batch = (over: Partial<WorldOptions>, calls: string[] = []): Promise<World> =>
    open({ root, script: script(calls), ...over, snapshot: { planning } });

  it.each([1, 2, 3, 4])('of %d steps lets that many calls be made and not one more', async (max) => {
    const calls: string[] = [];
    const world = await batch({ limits: { maxStepsPerRun: max } }, calls);
    await world.run();

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'limit.max_steps_per_run' });
    expect(await unitsOf(world)).toBe(max);
    expect(calls).toHaveLength(max);
    expect((await breaches(world))[0]).toEqual({ limit: 'max_steps_per_run', limit_value: max, actual: max + 1 });
  });

  it('that the batch just keeps is not a breach', async () => {
    const world = await batch({ limits: { maxStepsPerRun: 5, maxCostPerRunUsd: 0.0051 } });
    await world.run();

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'done' });
    expect(await unitsOf(world)).toBe(5);
    expect(await costEverywhere(world)).toBeCloseTo(0.005, 9);
  });

  it('of cost trips on what the tasks of a batch spent together', async () => {
    const calls: string[] = [];
    const world = await batch({ limits: { maxCostPerRunUsd: 0.0025 } }, calls);
    await world.run();

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'limit.max_cost_per_run_usd' });
    // Those that were under way when the third told its cost are paid, and nothing after them.
    expect(calls.filter((id) => id === 'root')).toHaveLength(1);
    expect(await costEverywhere(world)).toBeCloseTo(calls.length * 0.001, 9);
    expect((await breaches(world))[0]).toMatchObject({ limit: 'max_cost_per_run_usd', limit_value: 0.0025 });
  });

  it('counts on where a run that was stopped in the middle of the batch goes on', async () => {
    const calls: string[] = [];
    let world: World | null = null;
    let isStopped = false;
    const stopping = script(calls, async (id) => {
      if (id === 'root' || isStopped) return;
      isStopped = true;
      await world?.requestStop();
    });
    world = await batch({ limits: { maxStepsPerRun: 4 }, script: stopping });
    await world.run();
    expect(await world.row()).toMatchObject({ status: 'stopped' });
    const before = await unitsOf(world);
    expect(before).toBeLessThanOrEqual(4);
    await world.runClaim(await world.resume());

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'limit.max_steps_per_run' });
    expect(await unitsOf(world)).toBe(4);
    expect(calls).toHaveLength(4);
    expect(await costEverywhere(world)).toBeCloseTo(0.004, 9);
  });

  it('of an agent counts its tasks in all batches', async () => {
    const calls: string[] = [];
    const twice: Script = ({ agent: id, turn }) => {
      calls.push(id);
      if (id !== 'root') return 'did it';
      const task = (name: string, after: readonly string[]) => ({
        id: name,
        agent: 'a',
        instruction: name,
        depends_on: [...after],
      });
      return turn === 0
        ? [call('create-task-plan', { tasks: [task('one', []), task('two', ['one']), task('three', ['two'])] })]
        : 'done';
    };
    const world = await batch({ script: twice, limits: { maxStepsPerAgent: 2 } });
    await world.run();

    expect(calls.filter((id) => id === 'a')).toHaveLength(2);
    expect((await breaches(world))[0]).toEqual({ limit: 'max_steps_per_agent', limit_value: 2, actual: 3 });
  });
});

describe('the cost of a harness', () => {
  const hand = (id: string): AgentNode =>
    agent(id, { executor: { kind: 'plugin', ref: 'fake', config: {}, onInDoubt: 'repeat' } });
  const usage = (costUsd: number | null): Usage => ({
    inputTokens: 7,
    outputTokens: 3,
    cachedInputTokens: 0,
    reasoningTokens: 0,
    costUsd,
  });
  const ended = (costUsd: number | null, over: Partial<ExecutorResult> = {}): ExecutorResult => ({
    status: 'success',
    reason: null,
    message: '',
    output: 'made',
    usage: usage(costUsd),
    exitCode: 0,
    signal: null,
    stderrTail: '',
    ...over,
  });

  async function harnesses(
    costs: readonly ExecutorResult[],
    limits: WorldOptions['limits'],
  ): Promise<{ world: World; sessions: () => number }> {
    let sessions = 0;
    const world = await open({
      root: agent('root', { role: 'root', children: [hand('x'), hand('y')] }),
      script: ({ turn }) =>
        turn === 0
          ? [call('delegate_to_x', { task: '1' })]
          : turn === 1
            ? [call('delegate_to_y', { task: '2' })]
            : 'done',
      ...(limits === undefined ? {} : { limits }),
      executor: {
        run: async () => {
          sessions += 1;
          return costs[sessions - 1] ?? ended(0);
        },
      },
      facilities: () => ({
        // What the sessions work in is not what is looked at here.
        worktrees: {
          create: async () => ({
            path: '/',
            baseCommit: '',
            notIncluded: [],
            diff: async () => '',
            remove: async () => {},
          }),
          reopen: async () => null,
        },
      }),
    });
    await world.run();
    return { world, sessions: () => sessions };
  }

  it('is added to that of the models, once', async () => {
    const { world } = await harnesses([ended(0.5), ended(0.25)], { maxCostPerRunUsd: 1 });

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'done' });
    expect(await costEverywhere(world)).toBeCloseTo(0.753, 9);
    expect(await unitsOf(world)).toBe(5);
  });

  it.each([
    { name: 'is above the limit', cost: 0.6, actual: 0.601 },
    { name: 'is not known', cost: null, actual: null },
  ])('that $name ends the run with the session that made it', async ({ cost, actual }) => {
    const { world, sessions } = await harnesses([ended(cost)], { maxCostPerRunUsd: 0.5 });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'limit.max_cost_per_run_usd' });
    expect(sessions()).toBe(1);
    const [breach] = await breaches(world);
    expect(breach).toMatchObject({ limit: 'max_cost_per_run_usd', limit_value: 0.5 });
    if (actual === null) expect(breach?.actual).toBeNull();
    else expect(breach?.actual).toBeCloseTo(actual, 9);
  });

  it('of a session that failed is spent as well, and the failure keeps its reason', async () => {
    const { world } = await harnesses([ended(0.6, { status: 'failure', reason: 'broke' })], { maxCostPerRunUsd: 0.5 });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'executor.broke', usage: { costUsd: 0.601 } });
    expect(await breaches(world)).toHaveLength(1);
  });
});

describe('the cost that a server says a call had', () => {
  const said = (costUsd: number | null | undefined, over: Partial<ToolAnswer> = {}): ToolAnswer => ({
    parts: [{ type: 'text', text: 'found' }],
    structured: null,
    isError: false,
    ...(costUsd === undefined ? {} : { costUsd }),
    ...over,
  });

  async function calling(answers: readonly ToolAnswer[], over: Partial<WorldOptions> = {}, asks = answers.length) {
    let calls = 0;
    const server = fakeServer([serverTool('find')], () => {
      calls += 1;
      return answers[calls - 1] ?? said(0);
    });
    const world = await open(
      withTools(server.source, {
        root: agent('root', { role: 'root', skills: ['find'] }),
        skills: [toolSkill('find', { effects: 'write' })],
        script: ({ turn }) => (turn < asks ? [call('find', { text: String(turn) })] : 'done'),
        ...over,
      }),
    );
    await world.run();
    return { world, calls: () => calls };
  }

  it('is added to that of the models, and a call that says nothing is free', async () => {
    const { world } = await calling([said(0.25), said(undefined), said(0.5)], { limits: { maxCostPerRunUsd: 1 } });

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'done' });
    expect(await costEverywhere(world)).toBeCloseTo(0.754, 9);
    expect(payloadsOf(await world.events(), 'skill.executed').map(({ cost_usd }) => cost_usd)).toEqual([
      0.25,
      undefined,
      0.5,
    ]);
    expect(await unitsOf(world)).toBe(4);
  });

  it.each([
    { name: 'is above the limit', answer: said(2) },
    { name: 'is not an amount', answer: said(null) },
    { name: 'is that of a call which failed', answer: said(2, { isError: true }) },
  ])('that $name ends the run: no model is called after it', async ({ answer }) => {
    const { world, calls } = await calling([answer, said(0)], { limits: { maxCostPerRunUsd: 1 } });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'limit.max_cost_per_run_usd' });
    expect(calls()).toBe(1);
    expect(payloadsOf(await world.events(), 'model.called')).toHaveLength(1);
    expect(Object.keys(await failedSteps(world))).toContain('root/d0/t0/c0:find');
  });

  it('of attempts that are made again is that of all of them', async () => {
    const failing = said(0.25, { isError: true });
    const skills = [
      toolSkill('find', { effects: 'read', constraints: { timeoutMs: null, retries: 2, backoff: 'none' } }),
    ];
    const { world, calls } = await calling([failing, failing, said(0.5)], { skills }, 1);

    expect(calls()).toBe(3);
    expect(await costEverywhere(world)).toBeCloseTo(1.002, 9);
  });

  it('of an answer from the cache of the run is not paid again', async () => {
    const skills = [toolSkill('find', { effects: 'read' })];
    const script: Script = ({ turn }) => (turn < 2 ? [call('find', { text: 'same' })] : 'done');
    const { world, calls } = await calling([said(0.5)], { skills, script });

    expect(calls()).toBe(1);
    expect(await costEverywhere(world)).toBeCloseTo(0.503, 9);
  });
});
