import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentNode } from '../../../src/domain/agent-node.js';
import type { Executor } from '../../../src/domain/ports/executor.js';
import type { ModelRequest } from '../../../src/domain/ports/model.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { createWorktrees } from '../../../src/system/worktrees/worktrees.js';
import { binding, decisionSkill, lastText, toolsIn, verdict } from '../../support/deciding.js';
import { fakeServer, saying, serverTool, toolSkill } from '../../support/fake-tools.js';
import { createRepository } from '../../support/repository.js';
import { agent, call, commandSkill, type World, type WorldOptions } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';
import { withTools } from '../tools/tool-world.js';

const open = lawfulWorlds();

interface Judged {
  readonly root?: Partial<AgentNode>;
  readonly decisions: readonly ReturnType<typeof binding>[];
  readonly skills?: WorldOptions['skills'];
  readonly script: WorldOptions['script'];
  readonly outside?: Partial<WorldOptions>;
}

async function run({ root, decisions, skills, script, outside }: Judged): Promise<World> {
  const asked = decisions.map(({ skill }) => decisionSkill(skill));
  const world = await open({
    root: agent('root', { role: 'root', ...root }),
    script,
    skills: [...asked, ...(skills ?? [])],
    ...outside,
    snapshot: { decisions, ...outside?.snapshot },
  });
  await world.run();
  return world;
}

const outputOf = async (world: World) => (await world.row()).output;
const errorOf = async (world: World) => (await world.row()).error;

describe('pre_input', () => {
  it('a refused task is answered with the suggested response, and the model of the agent is never called', async () => {
    const asked: string[] = [];
    const world = await run({
      decisions: [binding('intake', 'pre_input')],
      script: ({ agent: id }) => {
        asked.push(id);
        return verdict('fail', { suggested_response: 'Ask the front desk.' });
      },
    });

    expect(await outputOf(world)).toBe('Ask the front desk.');
    expect(asked).toEqual(['intake']);
    expect(payloadsOf(await world.events(), 'decision.evaluated')).toMatchObject([
      { trigger: 'pre_input', skill: 'intake', verdict: 'fail', passed: false, required: true },
    ]);
  });

  it('without a suggestion the reasoning is the answer', async () => {
    const world = await run({ decisions: [binding('intake', 'pre_input')], script: () => verdict('fail') });

    expect(await outputOf(world)).toBe('said fail');
  });

  it('where a schema is in force, a suggestion that fits is the answer and reasoning is not', async () => {
    const outputSchema = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };
    const fits = await run({
      root: { outputSchema },
      decisions: [binding('intake', 'pre_input')],
      script: () => verdict('fail', { suggested_response: '{"a": 1}' }),
    });
    const prose = await run({
      root: { outputSchema },
      decisions: [binding('intake', 'pre_input')],
      script: () => verdict('fail'),
    });

    expect(await outputOf(fits)).toBe('{"a":1}');
    expect((await prose.row()).status).toBe('failed');
    expect(await errorOf(prose)).toContain('intake');
    expect(payloadsOf(await prose.events(), 'run.ended')).toMatchObject([{ reason: 'decision_failed' }]);
  });

  it('an advisory binding is evaluated, and lets everything through', async () => {
    const world = await run({
      decisions: [binding('intake', 'pre_input', { required: false })],
      script: ({ agent: id }) => (id === 'intake' ? verdict('fail') : 'the work'),
    });

    expect(await outputOf(world)).toBe('the work');
    expect(payloadsOf(await world.events(), 'decision.evaluated')).toMatchObject([{ passed: false, required: false }]);
  });

  it('only agents in scope are asked about', async () => {
    const world = await run({
      root: { children: [agent('one'), agent('two')] },
      decisions: [binding('intake', 'pre_input', { agents: ['two'] })],
      script: ({ agent: id, turn }) => {
        if (id === 'intake') return verdict('pass');
        if (id !== 'root') return `${id} did it`;
        return turn === 0
          ? [call('delegate_to_one', { task: 'x' }, '1'), call('delegate_to_two', { task: 'y' }, '2')]
          : 'done';
      },
    });

    const events = await world.events();
    expect(events.filter(({ type }) => type === 'decision.evaluated').map(({ agentId }) => agentId)).toEqual(['two']);
  });
});

describe('post_output', () => {
  it('what was found goes back into the conversation, without calls, until the bindings let the answer through', async () => {
    const requests: ModelRequest[] = [];
    const world = await run({
      root: { skills: ['say'] },
      skills: [commandSkill('say', ['echo', 'hi'])],
      decisions: [binding('judge', 'post_output', { config: { tone: 'kind' } })],
      script: ({ agent: id, turn, request }) => {
        if (id === 'judge')
          return lastText(request).includes('improved')
            ? verdict('pass')
            : verdict('fail', { flagged_items: ['too short'] });
        requests.push(request);
        if (turn === 0) return [call('say', { input: 'x' })];
        return turn === 1 ? 'first' : 'improved';
      },
    });

    expect(await outputOf(world)).toBe('improved');
    expect(requests.map(toolsIn)).toEqual(['1 auto', '1 auto', '1 none']);
    expect(requests[2]?.messages.some(({ role }) => role === 'tool')).toBe(true);
    expect(lastText(requests[2] as ModelRequest)).toContain('too short');
    expect(payloadsOf(await world.events(), 'decision.evaluated').map(({ verdict: word }) => word)).toEqual([
      'fail',
      'pass',
    ]);
  });

  it('the skill is told the configuration of its binding and the task that the agent was given', async () => {
    const reported: string[] = [];
    await run({
      decisions: [binding('judge', 'post_output', { config: { tone: 'kind' } })],
      script: ({ agent: id, request }) => {
        if (id === 'judge') reported.push(lastText(request));
        return id === 'judge' ? verdict('pass') : 'answer';
      },
    });

    expect(reported[0]).toContain('{"tone":"kind"}');
    expect(reported[0]).toContain('the task');
    expect(reported[0]).toMatch(/^The task that the agent was given:/);
  });

  it('every attempt asks all bindings, and the largest number of retries holds', async () => {
    const world = await run({
      decisions: [
        binding('first', 'post_output', { maxRetries: 0 }),
        binding('second', 'post_output', { maxRetries: 2 }),
      ],
      script: ({ agent: id }) => (id === 'root' ? 'never good' : verdict(id === 'first' ? 'fail' : 'pass')),
    });

    expect(payloadsOf(await world.events(), 'decision.evaluated').map(({ skill }) => skill)).toEqual([
      'first',
      'second',
      'first',
      'second',
      'first',
      'second',
    ]);
    expect((await world.row()).status).toBe('failed');
    expect(payloadsOf(await world.events(), 'run.ended')).toMatchObject([{ reason: 'decision_failed' }]);
    expect(await outputOf(world)).toBeNull();
  });

  it('the failure names each skill that refused, as data', async () => {
    const world = await run({
      decisions: [binding('judge', 'post_output', { maxRetries: 0 })],
      script: ({ agent: id }) => (id === 'root' ? 'x' : verdict('fail', { flagged_items: ['a claim'] })),
    });
    const rows = await world.stores.runs.load(world.job.id);

    expect(rows.find(({ key }) => key === 'root')?.outcome).toMatchObject({
      status: 'failed',
      reason: 'decision_failed',
      data: { trigger: 'post_output', decisions: [{ skill: 'judge', verdict: 'fail', flagged_items: ['a claim'] }] },
    });
  });

  it('an answer that nobody can read, or with a word that nobody knows, is not a pass', async () => {
    for (const said of ['I like it', '{"verdict": "splendid", "confidence": 1}']) {
      const world = await run({
        decisions: [binding('judge', 'post_output', { maxRetries: 0 })],
        script: ({ agent: id }) => (id === 'root' ? 'x' : said),
      });

      expect((await world.row()).status).toBe('failed');
    }
  });

  it.each([
    { said: '{"verdict": "pass", "confidence": 0.9}', status: 'completed' },
    { said: '{"verdict": "fail", "confidence": 0.9}', status: 'failed' },
    { said: 'nothing to say', status: 'failed' },
  ])('a tool of a server decides by what it answers: $said', async ({ said, status }) => {
    const server = fakeServer([serverTool('judge')], () => saying(said));
    const world = await open(
      withTools(server.source, {
        root: agent('root', { role: 'root' }),
        script: () => 'the work',
        skills: [toolSkill('judge', { category: 'decision' })],
        snapshot: { decisions: [binding('judge', 'post_output', { maxRetries: 0 })] },
      }),
    );
    await world.run();

    expect((await world.row()).status).toBe(status);
    expect(server.calls.map(({ input }) => input)).toMatchObject([{ trigger: 'post_output', content: 'the work' }]);
  });

  it('needs-revision asks for another try, and lets the last one through', async () => {
    const world = await run({
      decisions: [binding('judge', 'post_output', { maxRetries: 1 })],
      script: ({ agent: id, turn }) => (id === 'root' ? `try ${turn}` : verdict('needs_revision')),
    });

    expect(await outputOf(world)).toBe('try 1');
    expect(payloadsOf(await world.events(), 'decision.evaluated')).toHaveLength(2);
  });

  it('a revised answer is held to the schema like the first', async () => {
    const outputSchema = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };
    const answers = ['{"a": 1}', '{"a": "two"}', '{"a": 2}'];
    const world = await run({
      root: { outputSchema },
      decisions: [binding('judge', 'post_output')],
      script: ({ agent: id, turn, request }) =>
        id === 'root' ? (answers[turn] ?? '') : verdict(lastText(request).includes('{"a":2}') ? 'pass' : 'fail'),
    });

    expect(await outputOf(world)).toBe('{"a":2}');
    expect(payloadsOf(await world.events(), 'output.validated').map(({ valid }) => valid)).toEqual([true, false, true]);
  });

  it('a harness does its task again in a session of its own, with its last draft, its change and what was found', async () => {
    const statements: string[] = [];
    const executor: Executor = {
      run: async ({ statement, sandboxRoot }) => {
        statements.push(statement);
        writeFileSync(join(sandboxRoot, 'a.txt'), `change ${statements.length}\n`);
        const rest = { reason: null, message: '', usage: null, exitCode: 0, signal: null, stderrTail: '' };
        return { status: 'success', output: statements.length === 1 ? 'bad' : 'good', ...rest };
      },
    };
    const repository = createRepository({ 'a.txt': 'a\n' });
    try {
      const world = await run({
        root: { executor: { kind: 'plugin', ref: 'tiny', config: {}, onInDoubt: 'repeat' } },
        decisions: [binding('judge', 'post_output')],
        script: ({ request }) =>
          verdict(lastText(request).includes('change 1') ? 'fail' : 'pass', { reasoning: 'it is bad' }),
        outside: {
          executor,
          snapshot: {
            models: { 'judge:judge': { provider: 'fake', model: 'fake-1', toolProvider: 'fake', toolModel: 'fake-1' } },
          },
          facilities: () => ({
            workspaceRoot: repository.root,
            childEnv: repository.env,
            worktrees: createWorktrees({ env: repository.env, owner: readWorkerHost(), tempRoot: repository.temp }),
          }),
        },
      });

      expect(await outputOf(world)).toBe('good');
      expect(statements).toHaveLength(2);
      expect(statements[1]).toContain('it is bad');
      expect(statements[1]).toContain('+change 1');
      expect(payloadsOf(await world.events(), 'decision.evaluated').map(({ trigger }) => trigger)).toEqual([
        'post_output',
        'post_output',
      ]);
    } finally {
      repository.dispose();
    }
  });
});
