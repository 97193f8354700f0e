import { describe, expect, it } from 'vitest';
import type { LinkedSkill } from '../../src/domain/linked-skill.js';
import type { SkillStrategy } from '../../src/domain/ports/skill-strategy.js';
import { binding, decisionSkill, verdict } from '../support/deciding.js';
import { fakeServer, saying, serverTool, toolSkill } from '../support/fake-tools.js';
import { answer, goOn, isOpenItem, reviews } from '../support/gated.js';
import { agent, call, commandSkill, type World, type WorldOptions } from '../support/run-world.js';
import { lawfulWorlds, payloadsOf } from './laws.js';
import { withTools } from './tools/tool-world.js';

const open = lawfulWorlds();

/** One agent whose answer the skill `judge` judges. */
const judged = (skills: readonly LinkedSkill[], over: Partial<WorldOptions> = {}): WorldOptions => ({
  root: agent('root', { role: 'root' }),
  skills,
  script: ({ agent: id }) => (id === 'root' ? 'the work' : verdict('pass')),
  ...over,
  snapshot: { decisions: [binding('judge', 'post_output', { maxRetries: 0 })], ...over.snapshot },
});

const decided = async (world: World) => payloadsOf(await world.events(), 'decision.evaluated');
const says = (id: string, said: string): LinkedSkill =>
  commandSkill(id, ['echo', said], { effects: 'read', category: 'decision' });
const panel = (composes: readonly string[], strategyClass?: string): LinkedSkill => ({
  ...commandSkill('judge', [], { effects: 'none', category: 'decision' }),
  implementation: {
    type: 'composed',
    composes,
    strategy: strategyClass === undefined ? 'parallel-consensus' : 'custom',
    ...(strategyClass === undefined ? {} : { strategyClass }),
  },
});

describe('a tool of a server that judges', () => {
  const judge = (over: Partial<LinkedSkill> = {}) =>
    toolSkill('judge', {
      category: 'decision',
      inputs: { type: 'object', properties: { content: { type: 'string' } } },
      ...over,
    });

  it.each([
    ['pass', true],
    ['fail', false],
  ] as const)('says %s by what it answers, and is asked by the names of its inputs', async (word, passed) => {
    const server = fakeServer(
      [serverTool('judge', { hints: { readOnly: true, destructive: null, idempotent: null } })],
      () => saying(verdict(word)),
    );
    const world = await open(withTools(server.source, judged([judge()])));

    await world.run();

    expect(server.calls.map(({ input }) => input)).toEqual([{ content: 'the work' }]);
    expect(await decided(world)).toMatchObject([{ skill: 'judge', verdict: word, passed }]);
    expect(payloadsOf(await world.events(), 'skill.executed')).toMatchObject([
      { tool: 'judge', status: 'ok', server: 'files' },
    ]);
  });

  it('says no where its answer is not a verdict, where it fails and where it may not be called', async () => {
    const prose = fakeServer([serverTool('judge')], () => saying('looks fine'));
    const broken = fakeServer([serverTool('judge')], () => ({ ...saying('boom'), isError: true }));
    const worlds = [
      await open(withTools(prose.source, judged([judge()]))),
      await open(withTools(broken.source, judged([judge()]))),
      await open(withTools(prose.source, judged([judge({ requiredScopes: ['kb:write'] })]))),
      await open(withTools(prose.source, judged([judge()]), { permission: 'readonly' })),
    ];

    for (const world of worlds) await world.run();

    for (const world of worlds)
      expect(await decided(world)).toMatchObject([{ verdict: 'fail', confidence: 0, passed: false }]);
  });
});

describe('a prompt that judges and requires scopes', () => {
  const judge = { ...decisionSkill('judge'), requiredScopes: ['kb:judge'] };

  it('is asked for an agent that holds them', async () => {
    const world = await open(judged([judge], { root: agent('root', { role: 'root', baseScope: ['kb:judge'] }) }));

    await world.run();

    expect(await decided(world)).toMatchObject([{ passed: true }]);
  });

  it('is not asked for one that does not, which counts as no, and the log says who was denied what', async () => {
    const asked: string[] = [];
    const world = await open(
      judged([judge], {
        script: ({ agent: id }) => {
          asked.push(id);
          return 'the work';
        },
      }),
    );

    await world.run();

    expect(asked).toEqual(['root']);
    expect(await decided(world)).toMatchObject([{ verdict: 'fail', confidence: 0, passed: false }]);
    expect(payloadsOf(await world.events(), 'policy.denied')).toMatchObject([
      { action: 'skill:judge', needs: ['kb:judge'] },
    ]);
    expect(payloadsOf(await world.events(), 'skill.executed')).toMatchObject([
      { tool: 'judge', status: 'denied', policy_decision: 'deny' },
    ]);
  });

  it('is asked where a person grants them for this once', async () => {
    const world = await open(judged([judge], { root: agent('root', { role: 'root', elevatedScopes: ['kb:judge'] }) }));
    expect(await world.run()).toMatchObject({ kind: 'parked' });
    expect((await reviews(world)).items.find(isOpenItem)).toMatchObject({ kind: 'permission', skillId: 'judge' });

    await answer(world, { action: 'approve' });
    await goOn(world);

    expect(await decided(world)).toMatchObject([{ passed: true }]);
    expect(await world.row()).toMatchObject({ status: 'completed', output: 'the work' });
  });
});

describe('a prompt that judges and has constraints', () => {
  it('is asked again after a failure, and counts as no where it takes too long', async () => {
    const judge: LinkedSkill = {
      ...decisionSkill('judge'),
      constraints: { timeoutMs: 200, retries: 1, backoff: 'none' },
    };
    let asked = 0;
    const failing = await open(
      judged([judge], {
        script: ({ agent: id }) => {
          if (id === 'root') return 'the work';
          asked += 1;
          return asked > 1
            ? verdict('pass')
            : { ok: false, failure: { kind: 'server', message: 'HTTP 500', status: 500, retryAfterMs: null } };
        },
      }),
    );
    const slow = await open(
      judged([judge], {
        script: ({ agent: id, signal }) =>
          id === 'root'
            ? 'the work'
            : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
      }),
    );

    await failing.run();
    await slow.run();

    expect(await decided(failing)).toMatchObject([{ passed: true }]);
    expect(asked).toBe(2);
    expect(await decided(slow)).toMatchObject([{ verdict: 'fail', confidence: 0, passed: false }]);
    expect(await slow.row()).toMatchObject({ status: 'failed', reason: 'decision_failed' });
  });
});

describe('a panel that judges', () => {
  it('is read whole, however much its members say', async () => {
    const long = JSON.stringify({ verdict: 'pass', confidence: 1, reasoning: 'because '.repeat(1000) });
    const world = await open(judged([panel(['a', 'b']), says('a', long), says('b', long)]));

    await world.run();

    expect(await decided(world)).toMatchObject([{ verdict: 'pass', passed: true }]);
  });

  it('asks each member for what its inputs name, and for all where it names nothing', async () => {
    const inputs = (...names: readonly string[]) => ({
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    });
    const skills = [panel(['a', 'b', 'c']), ...['a', 'b', 'c'].map((id) => says(id, verdict('pass')))];
    const named = skills.map((skill) =>
      skill.id === 'a'
        ? { ...skill, inputs: inputs() }
        : skill.id === 'b'
          ? { ...skill, inputs: inputs('content', 'agent') }
          : skill,
    );
    const world = await open(judged(named));

    await world.run();

    const asked = new Map(
      payloadsOf(await world.events(), 'skill.executed').map(({ tool, inputs: given }) => [
        tool,
        Object.keys(given as object),
      ]),
    );
    expect([asked.get('a'), asked.get('b')?.toSorted()]).toEqual([[], ['agent', 'content']]);
    expect(asked.get('c')).toEqual(expect.arrayContaining(['content', 'agent', 'rubric']));
    expect(await decided(world)).toMatchObject([{ verdict: 'pass' }]);
  });

  it('asks members of every kind', async () => {
    const server = fakeServer([serverTool('tool')], () => saying(verdict('pass')));
    const inner: LinkedSkill = { ...panel(['command']), id: 'inner' };
    const child: LinkedSkill = {
      ...commandSkill('child', [], { effects: 'read' }),
      implementation: {
        type: 'agent',
        topology: 'second',
        cardUrl: null,
        skillId: null,
        credentialsRef: null,
        timeoutMs: 1000,
        permission: 'open',
      },
    };
    const away: LinkedSkill = {
      ...child,
      id: 'away',
      implementation: {
        ...child.implementation,
        topology: null,
        cardUrl: 'http://localhost/card',
      } as LinkedSkill['implementation'],
    };
    const members = ['command', 'tool', 'prompt', 'inner', 'child', 'away'];
    const skills = [
      panel(members),
      says('command', verdict('pass')),
      toolSkill('tool'),
      decisionSkill('prompt'),
      inner,
      child,
      away,
    ];
    const world = await open(
      withTools(
        server.source,
        judged(skills, {
          facilities: () => ({
            remoteAgents: {
              card: async () => ({ url: 'http://localhost/a2a', version: '1.0', deduplicates: true }) as never,
              send: async () => ({ id: 't', state: 'completed', output: JSON.parse(verdict('pass')) }) as never,
              get: () => expect.unreachable(),
              cancel: async () => undefined,
            },
            children: {
              depth: async () => 0,
              get: async () => null,
              submit: async ({ id }) => ({ id, status: 'completed', output: verdict('fail'), usage: null }) as never,
              goOn: async () => undefined,
              stop: async () => undefined,
            },
          }),
        }),
      ),
    );

    await world.run();

    const [said] = await decided(world);
    expect(said).toMatchObject({ verdict: 'pass', passed: true });
    const made = payloadsOf(await world.events(), 'skill.executed').find(({ tool }) => tool === 'judge');
    expect(made?.outputs).toMatchObject({
      panel_votes: members.map((skill) => ({ skill, verdict: skill === 'child' ? 'fail' : 'pass' })),
    });
  });
});

describe('a panel with the strategy of a plugin', () => {
  const withStrategy = (made: SkillStrategy): Partial<WorldOptions> => ({
    facilities: () => ({
      strategy: async (name) => {
        if (name !== 'acme.weigh') throw new Error(`no ${name}`);
        return made;
      },
    }),
  });
  const members = ['a', 'b', 'c'].map((id) => says(id, verdict(id === 'b' ? 'fail' : 'pass')));

  it('comes to the verdict of the strategy', async () => {
    const seen: unknown[] = [];
    const strategy: SkillStrategy = {
      decide: (votes) => {
        seen.push(votes.map((vote) => vote?.verdict ?? null));
        return { verdict: 'needs-revision', confidence: 0.3, reasoning: 'weighed' };
      },
    };
    const world = await open(judged([panel(['a', 'b', 'c'], 'acme.weigh'), ...members], withStrategy(strategy)));

    await world.run();

    expect(seen[0]).toEqual(['pass', 'fail', 'pass']);
    expect(await decided(world)).toMatchObject([{ verdict: 'needs-revision', confidence: 0.3, reasoning: 'weighed' }]);
  });

  it('asks one after another until it is settled', async () => {
    const strategy: SkillStrategy = {
      isSettled: (votes) => votes.length === 2,
      decide: (votes) => ({ verdict: 'pass', confidence: votes.length / 10, reasoning: '' }),
    };
    const world = await open(judged([panel(['a', 'b', 'c'], 'acme.weigh'), ...members], withStrategy(strategy)));

    await world.run();

    expect(await decided(world)).toMatchObject([{ verdict: 'pass', confidence: 0.2 }]);
    expect(payloadsOf(await world.events(), 'skill.executed').map(({ tool }) => tool)).toEqual(['a', 'b', 'judge']);
  });

  const failing: Readonly<Record<string, SkillStrategy>> = {
    throws: {
      decide: () => {
        throw new Error('no weights');
      },
    },
    'says another word': { decide: () => ({ verdict: 'maybe', confidence: 1, reasoning: '' }) as never },
    'is too sure': { decide: () => ({ verdict: 'pass', confidence: 7, reasoning: '' }) },
    'answers later': { decide: async () => ({ verdict: 'pass', confidence: 1, reasoning: '' }) } as never,
  };
  it.each(Object.entries(failing))('is a failed call, and passes nothing, where it %s', async (_how, strategy) => {
    const world = await open(judged([panel(['a'], 'acme.weigh'), ...members], withStrategy(strategy)));

    await world.run();

    expect(await decided(world)).toMatchObject([{ verdict: 'fail', confidence: 0, passed: false }]);
    const made = payloadsOf(await world.events(), 'skill.executed').find(({ tool }) => tool === 'judge');
    expect(made).toMatchObject({ status: 'failed', reason: 'strategy_failed' });
  });
});

it('a panel that an agent calls is a result that is shortened, and its members are not', async () => {
  const long = JSON.stringify({ verdict: 'pass', confidence: 1, reasoning: 'because '.repeat(100) });
  const reported: unknown[] = [];
  const world = await open({
    root: agent('root', { role: 'root', skills: ['judge'] }),
    skills: [{ ...panel(['a']), category: 'capability' }, says('a', long)],
    env: { KIT_MAX_RESULT_CHARS: 200 },
    script: ({ turn, request }) => {
      for (const part of request.messages.at(-1)?.parts ?? [])
        if (part.type === 'tool_result') reported.push(part.output);
      return turn === 0 ? [call('judge', { input: 'x' })] : 'done';
    },
  });

  await world.run();

  expect(reported).toEqual([expect.stringContaining('characters are left out here')]);
  expect(String(reported[0])).toContain('"verdict":"pass"');
});
