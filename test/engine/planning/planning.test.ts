import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/domain/json.js';
import type { Planning } from '../../../src/domain/planning.js';
import type { MessagePart, ModelRequest } from '../../../src/domain/ports/model.js';
import { binding, decisionSkill, lastText, toolsIn, verdict } from '../../support/deciding.js';
import { agent, call, commandSkill, type World, type WorldOptions } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';

const open = lawfulWorlds();

const PLANNING: Planning = {
  scopeRequired: false,
  twoPhase: false,
  synthesisRoles: ['self', 'document-writer'],
  synthesizerRole: 'synthesizer',
};
const PLAN_TOOLS = ['create-task-plan', 'update-task-plan', 'read-task-result'];

const task = (id: string, agentId: string, dependsOn: readonly string[] = []) => ({
  id,
  agent: agentId,
  instruction: `do ${id}`,
  ...(dependsOn.length === 0 ? {} : { depends_on: [...dependsOn] }),
});
const plan = (...tasks: readonly Json[]): readonly MessagePart[] => [call('create-task-plan', { tasks: [...tasks] })];
const root = agent('root', { role: 'root', children: [agent('a'), agent('b')] });
const results = (request: ModelRequest) =>
  request.messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool_result' ? [part] : [])));
const status = (request: ModelRequest) => JSON.parse(/as JSON:\n(.*)/.exec(lastText(request))?.[1] ?? 'null');

interface Planned extends Partial<WorldOptions> {
  readonly script: WorldOptions['script'];
  readonly planning?: Partial<Planning>;
}

async function planned({ planning, snapshot, ...options }: Planned): Promise<World> {
  return open({ root, ...options, snapshot: { planning: { ...PLANNING, ...planning }, ...snapshot } });
}

async function run(options: Planned): Promise<World> {
  const world = await planned(options);
  await world.run();
  return world;
}

const outputOf = async (world: World) => (await world.row()).output;
const endOf = async (world: World) => payloadsOf(await world.events(), 'run.ended')[0];

describe('the tools of a plan', () => {
  it('are offered to a coordinator where planning is configured, beside those that delegate', async () => {
    const offered: string[][] = [];
    const script: WorldOptions['script'] = ({ agent: id, request }) => {
      if (id === 'root') offered.push(request.tools.map(({ name }) => name));
      return 'done';
    };
    await run({ script });
    await (await open({ root, script })).run();

    expect(offered).toEqual([
      ['delegate_to_a', 'delegate_to_b', ...PLAN_TOOLS],
      ['delegate_to_a', 'delegate_to_b'],
    ]);
  });

  it('answer each problem of a plan as an error result, and change nothing', async () => {
    const answers: unknown[] = [];
    const bad: readonly (readonly Json[])[] = [
      [task('x', 'nobody')],
      [task('x', 'a'), task('x', 'b')],
      [task('x', 'a', ['y'])],
      [task('x', 'a', ['y']), task('y', 'b', ['x'])],
      [{ id: 'x', agent: 'a' }],
      [],
      Array.from({ length: 101 }, (_, index) => task(`x${index}`, 'a')),
      [task('x', 'a', ['x'])],
      [{ ...task('x', 'a'), status: 'completed' }],
    ];
    const world = await run({
      env: { KIT_MAX_PER_TOOL: 9 },
      script: ({ turn, request }) => {
        answers.push(
          ...results(request)
            .slice(-1)
            .map(({ output, isError }) => ({ ...(output as object), isError })),
        );
        return turn < bad.length ? [call('create-task-plan', { tasks: [...(bad[turn] ?? [])] })] : 'done';
      },
    });

    expect(await outputOf(world)).toBe('done');
    expect(answers).toMatchObject([
      { isError: true, problems: ['x: there is no agent nobody; the agents are a, b, self'] },
      { isError: true, problems: ['two tasks are called x'] },
      { isError: true, problems: ['x: it depends on y, and there is no such task'] },
      { isError: true, problems: ['tasks wait for each other: x, y'] },
      { isError: true, status: 'refused', problems: [expect.stringContaining('instruction')] },
      { isError: true, status: 'refused', problems: [expect.stringContaining('/tasks')] },
      { isError: true, problems: ['a plan has at most 100 tasks'] },
      { isError: true, problems: ['tasks wait for each other: x'] },
      { isError: true, status: 'refused', problems: [expect.stringContaining('status')] },
    ]);
    expect(payloadsOf(await world.events(), 'skill.executed').map((one) => one.status)).toEqual(
      bad.map(() => 'failed'),
    );
    expect(payloadsOf(await world.events(), 'agent.started')).toHaveLength(1);
  });

  it.each([
    { name: 'create-scope', env: { KIT_MAX_PER_TOOL: 2, KIT_MAX_PER_READ_TOOL: 9 }, max: 2 },
    { name: 'create-task-plan', env: { KIT_MAX_PER_TOOL: 2, KIT_MAX_PER_READ_TOOL: 9 }, max: 2 },
    { name: 'update-task-plan', env: { KIT_MAX_PER_TOOL: 2, KIT_MAX_PER_READ_TOOL: 9 }, max: 2 },
    { name: 'update-scope', env: { KIT_MAX_PER_TOOL: 2, KIT_MAX_PER_READ_TOOL: 9 }, max: 2 },
    { name: 'read-scope', env: { KIT_MAX_PER_TOOL: 9, KIT_MAX_PER_READ_TOOL: 2 }, max: 2 },
    { name: 'read-task-result', env: { KIT_MAX_PER_TOOL: 9, KIT_MAX_PER_READ_TOOL: 2 }, max: 2 },
  ])('count like any other: $name after $max calls is refused, with a result', async ({ name, env, max }) => {
    let answers: readonly Json[] = [];
    const input = { 'create-task-plan': { tasks: [] }, 'read-task-result': { task: 'x' } }[name] ?? {};
    const world = await run({
      env,
      planning: { scopeRequired: true },
      script: ({ turn, request }) => {
        answers = results(request).map(({ output }) => output);
        return turn === 0 ? ['1', '2', '3'].map((id) => call(name, input, id)) : 'done';
      },
    });

    expect(await outputOf(world)).toBe('done');
    expect(answers).toHaveLength(max + 1);
    expect(answers.map((one) => (one as { reason?: string }).reason === 'call_limit')).toEqual([false, false, true]);
  });

  it('may not be called when KIT_MAX_TOOL_TURNS are spent, and the plan goes on to its end without them', async () => {
    const offered: string[] = [];
    const world = await run({
      env: { KIT_MAX_TOOL_TURNS: 1 },
      script: ({ agent: id, turn, request }) => {
        if (id !== 'root') return `${id} did it`;
        offered.push(toolsIn(request));
        if (turn === 0) return plan(task('x', 'a'), task('y', 'b', ['x']));
        return turn === 1 ? [call('update-task-plan', { complete: true })] : `turn ${turn}`;
      },
    });

    expect(offered).toEqual(['5 auto', '5 none', '5 none', '5 none']);
    expect(await outputOf(world)).toBe('turn 3');
    expect(payloadsOf(await world.events(), 'agent.started').map((one) => one.activation)).toEqual([
      'root',
      'root/d0/b0/c0:a',
      'root/d0/b1/c0:b',
    ]);
    expect(payloadsOf(await world.events(), 'skill.executed')).toHaveLength(1);
    expect(payloadsOf(await world.events(), 'tool.refused')).toEqual([
      { tool: 'update-task-plan', reason: 'call_limit' },
    ]);
  });

  it('give a whole result, and say which task there is none of', async () => {
    const long = 'x'.repeat(700);
    const answers: unknown[] = [];
    await run({
      script: ({ agent: id, turn, request }) => {
        if (id === 'a') return long;
        if (request.messages[0]?.parts.some((part) => part.type === 'text' && part.text.startsWith('Summarise')))
          return 'many x';
        if (turn === 0) return plan(task('x', 'a'));
        if (turn === 1) {
          answers.push(status(request).tasks[0].result);
          return [call('read-task-result', { task: 'x' }), call('read-task-result', { task: 'none' }, 'second')];
        }
        answers.push(
          ...results(request)
            .slice(-2)
            .map(({ output }) => output),
        );
        return 'done';
      },
    });

    expect(answers).toEqual([
      'many x',
      { id: 'x', agent: 'a', status: 'completed', result: long },
      expect.objectContaining({ status: 'refused' }),
    ]);
  });
});

describe('a plan', () => {
  it('runs what can run side by side, then what depends on it with its results', async () => {
    const both = Promise.withResolvers<void>();
    let here = 0;
    const tasks: string[] = [];
    const phases: string[] = [];
    const world = await run({
      script: async ({ agent: id, turn, request }) => {
        if (id === 'root') {
          if (turn > 0) phases.push(status(request).phase);
          return turn === 0
            ? plan(task('x', 'a'), task('y', 'b'), task('z', 'a', ['x', 'y']))
            : turn === 1
              ? 'go on'
              : 'the answer';
        }
        tasks.push(lastText(request));
        here += 1;
        if (here === 2) both.resolve();
        await both.promise;
        return `${id} did ${tasks.length > 2 ? 'z' : 'it'}`;
      },
    });

    expect(await outputOf(world)).toBe('the answer');
    expect(phases).toEqual(['in_progress', 'synthesis']);
    expect(tasks[2]).toBe(
      'Results of the tasks you depend on, as JSON:\n{"x":"a did it","y":"b did it"}\n\nYour task: do z',
    );
    expect(payloadsOf(await world.events(), 'agent.started').map((one) => one.activation)).toEqual([
      'root',
      'root/d0/b0/c0:a',
      'root/d0/b0/c1:b',
      'root/d0/b1/c0:a',
    ]);
  });

  it('skips what depends on a failed task and says why, and the coordinator goes on', async () => {
    let seen: unknown;
    const world = await run({
      script: ({ agent: id, turn, request }) => {
        if (id === 'a')
          return { ok: false, failure: { kind: 'server', message: 'HTTP 500', status: 500, retryAfterMs: null } };
        if (id === 'b') return 'b did it';
        if (turn === 0) return plan(task('x', 'a'), task('y', 'b'), task('z', 'b', ['x']), task('last', 'b', ['z']));
        seen ??= status(request).tasks;
        return 'in spite of all';
      },
    });

    expect(await outputOf(world)).toBe('in spite of all');
    expect(seen).toMatchObject([
      { id: 'x', status: 'failed', reason: expect.stringContaining('provider.server') },
      { id: 'y', status: 'completed', result: 'b did it' },
      { id: 'z', status: 'skipped', reason: expect.stringContaining('depends on x, which failed') },
      { id: 'last', status: 'skipped', reason: 'it depends on z, which was skipped' },
    ]);
  });

  it('survives a failure deep below a task: nothing beside it is aborted', async () => {
    const world = await run({
      root: agent('root', {
        role: 'root',
        children: [agent('lead', { role: 'leader', children: [agent('p'), agent('q')] }), agent('b')],
      }),
      script: ({ agent: id, turn }) => {
        if (id === 'p')
          return { ok: false, failure: { kind: 'server', message: 'HTTP 500', status: 500, retryAfterMs: null } };
        if (id === 'lead')
          return [call('delegate_to_p', { task: 'x' }, '1'), call('delegate_to_q', { task: 'y' }, '2')];
        if (id === 'root') return turn === 0 ? plan(task('x', 'lead'), task('y', 'b')) : 'the rest';
        return `${id} did it`;
      },
    });

    expect(await outputOf(world)).toBe('the rest');
  });

  it('lets synthesis tasks run last, and those of the coordinator by its own model with its skills', async () => {
    const order: string[] = [];
    const world = await run({
      root: agent('root', { role: 'root', skills: ['say'], children: [agent('a'), agent('b')] }),
      skills: [commandSkill('say', ['echo', 'hi'])],
      planning: { synthesisRoles: ['self', 'b'] },
      script: ({ agent: id, turn, request }) => {
        const asked = lastText(request);
        if (id === 'root' && turn === 0 && !asked.includes('Your task'))
          return plan(task('mine', 'self'), task('doc', 'b'), task('facts', 'a'));
        if (asked.includes('Status of the plan')) return 'go on';
        order.push(`${id}: ${request.tools.map(({ name }) => name).join()}`);
        return `${id} did it`;
      },
    });

    expect((await world.row()).status).toBe('completed');
    expect(order).toEqual(['a: ', 'root: say', 'b: ']);
  });

  const drafting = (tasks: readonly Json[], planning: Partial<Planning> = { synthesisRoles: ['self', 'b'] }) => {
    const order: string[] = [];
    const answers: Json[] = [];
    const options: Planned = {
      planning,
      script: ({ agent: id, turn, request }) => {
        const asked = lastText(request);
        if (id === 'root' && turn === 0 && request.tools.length > 0) return plan(...tasks);
        if (id === 'root' && request.tools.length > 0) {
          if (turn === 1) answers.push(...results(request).map(({ output }) => output));
          return 'go on';
        }
        order.push(`${id}: ${asked.split('\n')[1] ?? asked}`);
        return id === 'root' ? 'both say so' : `${id} found it`;
      },
    };
    return { order, answers, options };
  };

  it('puts a synthesis of the coordinator between the research and a document, where nobody planned one', async () => {
    const { order, answers, options } = drafting([task('doc', 'b'), task('x', 'a'), task('y', 'a')]);
    const world = await run(options);

    expect((await world.row()).status).toBe('completed');
    expect(answers).toMatchObject([
      {
        tasks: [
          { id: 'doc', depends_on: ['x', 'y', '__auto_synthesize__'] },
          { id: 'x', depends_on: [] },
          { id: 'y', depends_on: [] },
          { id: '__auto_synthesize__', agent: 'self', depends_on: ['x', 'y'] },
        ],
      },
    ]);
    expect(order).toEqual([
      'a: do x',
      'a: do y',
      'root: {"x":"a found it","y":"a found it"}',
      'b: {"x":"a found it","y":"a found it","__auto_synthesize__":"both say so"}',
    ]);
  });

  it.each([
    { name: 'one research task', tasks: [task('doc', 'b'), task('x', 'a')] },
    { name: 'no document', tasks: [task('y', 'a'), task('x', 'a')] },
    {
      name: 'a document with dependencies of its own',
      tasks: [task('doc', 'b', ['x']), task('x', 'a'), task('y', 'a')],
    },
    { name: 'a synthesis of its own', tasks: [task('doc', 'b'), task('x', 'a'), task('y', 'a'), task('mine', 'self')] },
  ])('adds no synthesis to a plan with $name', async ({ tasks }) => {
    const { answers, options } = drafting(tasks);
    await run(options);

    expect(JSON.stringify(answers)).toContain('accepted');
    expect(JSON.stringify(answers)).not.toContain('__auto_synthesize__');
  });

  it('is changed while tasks are pending, and completed without the rest', async () => {
    const seen: string[] = [];
    const world = await run({
      script: ({ agent: id, turn, request }) => {
        if (id !== 'root') {
          seen.push(lastText(request));
          return 'it';
        }
        if (turn === 0) return plan(task('x', 'a'), task('y', 'b', ['x']), task('z', 'b', ['y']));
        if (turn === 1)
          return [
            call('update-task-plan', {
              remove: ['z'],
              update: [{ id: 'y', instruction: 'do y well' }],
              add: [task('w', 'a', ['y'])],
            }),
          ];
        if (turn === 2) return [call('update-task-plan', { complete: true })];
        return `${status(request).tasks.map((one: { status: string }) => one.status)}`;
      },
    });

    expect(await outputOf(world)).toBe('completed,completed,skipped');
    expect(seen[1]).toContain('do y well');
    expect(seen).toHaveLength(2);
  });

  it('goes on in the middle of a batch: what has ended is not done again', async () => {
    const asked: string[] = [];
    let world: World | null = null;
    world = await planned({
      script: async ({ agent: id, turn, request }) => {
        asked.push(`${id}:${turn}`);
        if (id === 'root') return turn === 0 ? plan(task('x', 'a'), task('y', 'b')) : 'the answer';
        if (id === 'b' && request.tools.length > 0 && turn === 0) {
          await world?.requestStop();
          return [call('say', { input: 'x' })];
        }
        return `${id} did it`;
      },
      root: agent('root', { role: 'root', children: [agent('a'), agent('b', { skills: ['say'] })] }),
      skills: [commandSkill('say', ['echo', 'hi'])],
    });
    await world.run();
    expect((await world.row()).status).toBe('stopped');
    await world.runClaim(await world.resume());

    expect(await outputOf(world)).toBe('the answer');
    expect(asked).toEqual(['root:0', 'a:0', 'b:0', 'b:1', 'root:1']);
  });

  it('compares fields of the answer with what the children of its tasks reported', async () => {
    const outputSchema = {
      type: 'object',
      required: ['n'],
      properties: { n: { type: 'integer', 'x-equals': '/a/n' } },
    };
    const counts = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
    const world = await run({
      root: agent('root', { role: 'root', outputSchema, children: [agent('a', { outputSchema: counts })] }),
      script: ({ agent: id, turn }) => {
        if (id === 'a') return '{"n": 3}';
        return turn === 0 ? plan(task('x', 'a')) : turn < 3 ? '{"n": 4}' : '{"n": 3}';
      },
    });

    expect(await outputOf(world)).toBe('{"n":3}');
  });
});

describe('a scope', () => {
  it('that is required and never made fails the plan', async () => {
    const world = await run({
      planning: { scopeRequired: true },
      script: ({ agent: id, turn }) => (id === 'root' ? (turn === 0 ? plan(task('x', 'a')) : 'no scope') : 'it'),
    });

    expect(await endOf(world)).toMatchObject({ status: 'failed', reason: 'scope_missing' });
  });

  it('only ever grows, and every later task is told of it', async () => {
    const seen: string[] = [];
    const world = await run({
      planning: { scopeRequired: true },
      script: ({ agent: id, turn, request }) => {
        if (id !== 'root') {
          seen.push(lastText(request));
          return 'it';
        }
        if (turn === 0)
          return [
            call('create-scope', { requirements: ['fast'] }),
            call('update-scope', { add_requirements: ['small'] }, '2'),
          ];
        if (turn === 1) return [call('read-scope', {}), call('create-scope', { requirements: ['other'] }, '2')];
        return turn === 2
          ? plan(task('x', 'a'))
          : JSON.stringify(
              results(request)
                .slice(2, 4)
                .map(({ output, isError }) => ({ output, isError })),
            );
      },
    });

    expect(JSON.parse((await outputOf(world)) ?? '')).toMatchObject([
      { output: { scope: { requirements: ['fast', 'small'] } }, isError: false },
      { isError: true },
    ]);
    expect(seen[0]).toContain('{"requirements":["fast","small"]}');
  });

  it('stands between two phases: research first and nothing else, then the tasks that it asks for', async () => {
    const phases: string[] = [];
    const offered: string[][] = [];
    let refused: unknown;
    const world = await run({
      root: agent('root', { role: 'root', skills: ['say'], children: [agent('a'), agent('b')] }),
      skills: [commandSkill('say', ['echo', 'hi'])],
      planning: { twoPhase: true },
      script: ({ agent: id, turn, request }) => {
        if (id !== 'root') return 'it';
        offered.push(request.tools.map(({ name }) => name));
        if (lastText(request).includes('Status')) phases.push(status(request).phase);
        const early = [call('say', { input: 'x' }, '2'), call('update-task-plan', {}, '3')];
        if (turn === 0) return [...plan(task('x', 'a'), task('y', 'self')), ...early];
        if (turn === 1) {
          refused = results(request).map(({ output }) => output);
          return plan(task('x', 'a'));
        }
        if (turn === 2) return [call('create-scope', { requirements: ['fast'] })];
        return turn === 3 ? [call('update-task-plan', { add: [task('y', 'b')] })] : 'the answer';
      },
    });

    expect(await outputOf(world)).toBe('the answer');
    expect(phases).toEqual(['scope_required', 'research_complete', 'synthesis']);
    expect(refused).toMatchObject([
      { status: 'refused' },
      { status: 'refused', reason: 'requires', message: 'say comes after the scope: call create-scope first' },
      { status: 'refused', reason: 'requires' },
    ]);
    expect(offered[0]).toEqual(expect.arrayContaining(['say', 'update-task-plan']));
    for (const names of offered) expect(names).toEqual(offered[0]);
  });
});

describe('decisions about a plan', () => {
  const judged = (trigger: 'checkpoint' | 'pre_synthesis', maxRetries: number, judge: (count: number) => string) => {
    const reported: string[] = [];
    let count = 0;
    return {
      told: reported,
      options: {
        skills: [decisionSkill('judge')],
        snapshot: { decisions: [binding('judge', trigger, { maxRetries })] },
        script: ({ agent: id, turn, request }: Parameters<WorldOptions['script']>[0]) => {
          if (id === 'judge') {
            count += 1;
            return judge(count);
          }
          if (id !== 'root') return 'it';
          reported.push(lastText(request));
          return turn === 0 ? plan(task('x', 'a'), task('y', 'b', ['x'])) : `answer ${turn}`;
        },
      },
    };
  };

  it('between two batches hold the next one back until they let it go on', async () => {
    const { told: reported, options } = judged('checkpoint', 4, (count) =>
      verdict(count === 1 ? 'fail' : 'pass', { flagged_items: ['no sources'] }),
    );
    const world = await run(options);

    expect((await world.row()).status).toBe('completed');
    expect(reported[1]).toContain('no sources');
    expect(payloadsOf(await world.events(), 'decision.evaluated').map((one) => [one.trigger, one.verdict])).toEqual([
      ['checkpoint', 'fail'],
      ['checkpoint', 'pass'],
    ]);
  });

  it('before the synthesis send the coordinator back, and fail the plan when it does not help', async () => {
    const { told: reported, options } = judged('pre_synthesis', 1, () => verdict('fail'));
    const world = await run(options);

    expect(reported.at(-1)).toContain('The plan may not go on as it is.');
    expect(await endOf(world)).toMatchObject({ status: 'failed', reason: 'decision_failed' });
    expect(payloadsOf(await world.events(), 'decision.evaluated')).toHaveLength(2);
  });

  it.each([
    { trigger: 'checkpoint', said: verdict('fail'), over: {}, reason: 'decision_failed', asked: 2 },
    { trigger: 'pre_synthesis', said: verdict('fail'), over: {}, reason: 'decision_failed', asked: 2 },
    { trigger: 'checkpoint', said: '{"verdict": "splendid"}', over: {}, reason: 'decision_failed', asked: 2 },
    { trigger: 'pre_synthesis', said: 'no JSON', over: {}, reason: 'decision_failed', asked: 2 },
    { trigger: 'checkpoint', said: verdict('needs-revision'), over: {}, reason: null, asked: 2 },
    { trigger: 'pre_synthesis', said: verdict('needs-revision'), over: {}, reason: null, asked: 2 },
    { trigger: 'checkpoint', said: verdict('fail'), over: { required: false }, reason: null, asked: 1 },
    { trigger: 'pre_synthesis', said: verdict('fail'), over: { required: false }, reason: null, asked: 1 },
    { trigger: 'checkpoint', said: verdict('fail'), over: { agents: ['a', 'b'] }, reason: null, asked: 0 },
    { trigger: 'pre_synthesis', said: verdict('fail'), over: { agents: ['a', 'b'] }, reason: null, asked: 0 },
    {
      trigger: 'checkpoint',
      said: verdict('fail'),
      over: { agents: ['root'], maxRetries: 0 },
      reason: 'decision_failed',
      asked: 1,
    },
  ] as const)(
    '$trigger, $over, that say $said end the run with $reason after $asked questions',
    async ({ trigger, said, over, reason, asked }) => {
      const { options } = judged(trigger, 1, () => said);
      const world = await run({
        ...options,
        snapshot: { decisions: [binding('judge', trigger, { maxRetries: 1, ...over })] },
      });

      expect(await endOf(world)).toMatchObject({ status: reason === null ? 'completed' : 'failed', reason });
      const required = !('required' in over);
      expect(payloadsOf(await world.events(), 'decision.evaluated')).toMatchObject(
        Array.from({ length: asked }, () => ({ trigger, required })),
      );
      // What a checkpoint held back was never begun.
      const began = payloadsOf(await world.events(), 'agent.started').length;
      expect(began).toBe(trigger === 'checkpoint' && reason !== null ? 2 : 3);
    },
  );

  it('after each task are those of its agent', async () => {
    const world = await run({
      skills: [decisionSkill('judge')],
      snapshot: { decisions: [binding('judge', 'post_output', { agents: ['a'], maxRetries: 1 })] },
      script: ({ agent: id, turn, request }) => {
        if (id === 'judge') return verdict('fail');
        if (id !== 'root') return 'it';
        return turn === 0 ? plan(task('x', 'a'), task('y', 'b')) : JSON.stringify(status(request).tasks);
      },
    });

    expect(JSON.parse((await outputOf(world)) ?? '')).toMatchObject([
      { id: 'x', status: 'failed', reason: expect.stringContaining('decision_failed') },
      { id: 'y', status: 'completed' },
    ]);
  });
});

describe('a synthesis', () => {
  const SYNTHESIS = {
    synthesis: { provider: 'fake', model: 'large-1', prompt: 'You are writer.' },
    models: Object.fromEntries(
      ['root', 'a', 'b', 'role:synthesis'].map((id) => {
        const model = id === 'role:synthesis' ? 'large-1' : 'fake-1';
        return [id, { provider: 'fake', model, toolProvider: 'fake', toolModel: model }];
      }),
    ),
  };

  it('is one call of its own model under its own name, with every result, held to the schema of the coordinator', async () => {
    const outputSchema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
    const asked: ModelRequest[] = [];
    const world = await run({
      root: agent('root', { role: 'root', outputSchema, skills: ['say'], children: [agent('a'), agent('b')] }),
      skills: [commandSkill('say', ['echo', 'hi'])],
      planning: { synthesizerRole: 'author' },
      snapshot: SYNTHESIS,
      script: ({ agent: id, turn, request }) => {
        if (id === 'root') return plan(task('x', 'a'), task('y', 'b'));
        if (id !== 'writer') return `${id} found it`;
        asked.push(request);
        return turn === 0 ? '{"n": "no"}' : '{"n": 2}';
      },
    });
    const calls = (await world.events()).filter(({ type }) => type === 'model.called');

    expect(await outputOf(world)).toBe('{"n":2}');
    expect(asked[0]?.model).toBe('large-1');
    expect(asked[0]?.outputSchema).toEqual(outputSchema);
    expect(lastText(asked[0] as ModelRequest)).toMatch(/the task[\s\S]*a found it[\s\S]*b found it/);
    expect(calls.map(({ agentId }) => agentId)).toEqual(['root', 'a', 'b', 'author', 'author']);
    expect(payloadsOf(await world.events(), 'output.validated').map(({ valid }) => valid)).toEqual([false, true]);
  });

  it('leaves its coordinator without skills', async () => {
    const offered: string[][] = [];
    await run({
      root: agent('root', { role: 'root', skills: ['say'], children: [agent('a')] }),
      skills: [commandSkill('say', ['echo', 'hi'])],
      snapshot: SYNTHESIS,
      script: ({ request }) => {
        offered.push(request.tools.map(({ name }) => name));
        return 'done';
      },
    });

    expect(offered).toEqual([['delegate_to_a', ...PLAN_TOOLS]]);
  });

  it('revises its own answer when a decision sends it back', async () => {
    const models: string[] = [];
    const world = await run({
      skills: [decisionSkill('judge')],
      snapshot: { ...SYNTHESIS, decisions: [binding('judge', 'post_output', { agents: ['root'] })] },
      script: ({ agent: id, turn, request }) => {
        if (id === 'judge') return verdict(lastText(request).includes('draft 0') ? 'fail' : 'pass');
        if (id === 'root') return plan(task('x', 'a'));
        if (id !== 'writer') return 'it';
        models.push(request.model);
        return `draft ${turn}`;
      },
    });

    expect(await outputOf(world)).toBe('draft 1');
    expect(models).toEqual(['large-1', 'large-1']);
  });

  it('has nothing to write from when no task has a result', async () => {
    const world = await run({
      snapshot: SYNTHESIS,
      script: ({ agent: id, turn }) => {
        if (id === 'root') return turn === 0 ? plan(task('x', 'a')) : 'well';
        return { ok: false, failure: { kind: 'server', message: 'HTTP 500', status: 500, retryAfterMs: null } };
      },
    });

    expect(await endOf(world)).toMatchObject({ status: 'failed', reason: 'plan_failed' });
  });
});
