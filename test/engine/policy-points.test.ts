import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/domain/json.js';
import type { LinkedSkill } from '../../src/domain/linked-skill.js';
import type { Decision, GovernanceProvider, PolicyRequest } from '../../src/domain/ports/governance.js';
import type { MessagePart } from '../../src/domain/ports/model.js';
import { decide } from '../../src/govern/decide.js';
import { createClock } from '../../src/system/clock.js';
import { fakeServer, serverTool, toolSkill } from '../support/fake-tools.js';
import { answer, goOn, isOpenItem, reviews } from '../support/gated.js';
import { agent, call, commandSkill, type Script, type World, type WorldOptions } from '../support/run-world.js';
import { lawfulWorlds, payloadsOf } from './laws.js';
import { withTools } from './tools/tool-world.js';

const open = lawfulWorlds();
const DIGEST = 'd'.repeat(64);

/** Where governance is asked (docs/design/execution.md#actions): one of each, in one run. */
interface Point {
  readonly action: RegExp;
  /** The call of the root that comes to it; null = the root itself, before any call. */
  readonly calls: ((seen: readonly Json[]) => MessagePart) | null;
  /** Calls that come before, so that there is something to call about. */
  readonly before?: MessagePart;
  /** Who is asked about, where it is not the root. */
  readonly agentId?: string;
  readonly skillId?: string;
  /** Of the event of the call; absent = it is not a call of a skill. */
  readonly tool?: string;
  readonly input?: Json;
}

const POINTS: Readonly<Record<string, Point>> = {
  'the entry agent': { action: /^agent:execute$/, calls: null },
  'a child': { action: /^agent:execute$/, calls: () => call('delegate_to_one', { task: 'x' }), agentId: 'one' },
  'a harness': { action: /^agent:execute$/, calls: () => call('delegate_to_hand', { task: 'x' }), agentId: 'hand' },
  'a command': {
    action: /^command:call:test:touch$/,
    calls: () => call('touch', { input: 'x' }),
    skillId: 'touch',
    tool: 'touch',
  },
  'a tool of a server': {
    action: /^mcp:call:files:say$/,
    calls: () => call('say', { text: 'x' }),
    skillId: 'say',
    tool: 'say',
  },
  'a prompt': {
    action: /^skill:call:advise$/,
    calls: () => call('advise', { input: 'x' }),
    skillId: 'advise',
    tool: 'advise',
  },
  'a panel': {
    action: /^skill:call:panel$/,
    calls: () => call('panel', { input: 'x' }),
    skillId: 'panel',
    tool: 'panel',
  },
  'a member of a panel': {
    action: /^skill:call:member$/,
    calls: () => call('panel', { input: 'x' }),
    skillId: 'member',
    tool: 'member',
  },
  'a result that was shortened': {
    action: /^context:retrieve:print-/,
    before: call('print', { input: '' }),
    calls: (seen) => call('context_retrieve', { ref: /"ref": "([^"]+)"/.exec(String(seen[0]))?.[1] ?? '' }),
    tool: 'context_retrieve',
  },
};

const prompt = (id: string): LinkedSkill => ({
  ...commandSkill(id, []),
  effects: 'none',
  implementation: { type: 'llm_prompt', prompt: `You are ${id}.`, model: agent('x').model },
});
const panel: LinkedSkill = {
  ...commandSkill('panel', []),
  effects: 'none',
  implementation: { type: 'composed', composes: ['member'], strategy: 'sequential' },
};

function cautious(): LinkedSkill {
  const skill = commandSkill('touch', ['sh', '-c', 'echo touched']);
  if (skill.implementation.type !== 'command') throw new Error('a command skill has a command');
  return {
    ...skill,
    implementation: { ...skill.implementation, command: { ...skill.implementation.command, permission: 'cautious' } },
  };
}

interface Scene {
  readonly world: World;
  /** What the root was answered on the call of the point. */
  readonly told: () => Json | undefined;
  /** How often the provider was asked at the point. */
  readonly asked: () => readonly PolicyRequest[];
  /** How often what the point guards was carried out. */
  readonly done: () => number;
}

/**
 * A run that comes to the point, with a provider that answers there as the test says and allows
 * everything else.
 */
async function sceneOf(point: Point, answers: () => unknown, over: Partial<WorldOptions> = {}): Promise<Scene> {
  const seen: Json[] = [];
  const asked: PolicyRequest[] = [];
  let done = 0;
  const server = fakeServer([serverTool('say')], () => {
    done += 1;
    return { parts: [{ type: 'text', text: 'said' }], structured: null, isError: false };
  });
  const turns: readonly ((results: readonly Json[]) => MessagePart)[] =
    point.calls === null
      ? []
      : [...(point.before === undefined ? [] : [() => point.before as MessagePart]), point.calls];
  const script: Script = ({ agent: id, turn, request }) => {
    if (id !== 'root') {
      if (id === point.agentId || id === point.skillId || point.skillId === 'panel') done += 1;
      return `${id} did it`;
    }
    seen.length = 0;
    for (const message of request.messages)
      for (const part of message.parts) if (part.type === 'tool_result') seen.push(part.output);
    const next = turns[turn];
    if (point.calls === null) done += 1;
    return next === undefined ? 'done' : [next(seen)];
  };
  const provider: GovernanceProvider = {
    evaluate: (request) => {
      const isPoint = point.action.test(request.action) && request.agentId === (point.agentId ?? 'root');
      if (!isPoint) return Promise.resolve({ verdict: 'allow' });
      asked.push(request);
      return answers() as Promise<Decision>;
    },
  };
  const hand = agent('hand', { executor: { kind: 'plugin', ref: 'fake', config: {}, onInDoubt: 'repeat' } });
  const world = await open(
    withTools(
      server.source,
      {
        root: agent('root', {
          role: 'root',
          skills: ['touch', 'say', 'advise', 'panel', 'print'],
          children: [agent('one'), hand],
        }),
        skills: [
          cautious(),
          toolSkill('say'),
          prompt('advise'),
          panel,
          prompt('member'),
          commandSkill('print', ['printf', '%s', 'x'.repeat(5000)]),
        ],
        script,
        executor: {
          run: async () => {
            done += 1;
            return {
              status: 'success',
              reason: null,
              message: '',
              output: 'made',
              usage: null,
              exitCode: 0,
              signal: null,
              stderrTail: '',
            };
          },
        },
        snapshot: { compression: { backend: 'headtail', backendClass: null, minBytes: 1000, overrides: [] } },
        facilities: () => ({
          // What the session works in is not what is looked at here.
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
          decide: async (request) =>
            (
              await decide(provider, request, {
                timeoutMs: 100,
                clock: createClock(),
                signal: new AbortController().signal,
              })
            ).decision,
        }),
        ...over,
      },
      { permission: 'cautious' },
    ),
  );
  const place = point.before === undefined ? 0 : 1;
  const isCommand = point.tool === 'touch';
  const isRetrieval = point.tool === 'context_retrieve';
  const executed = (): number => {
    const result = seen[place];
    return isCommand
      ? Number(String(result).startsWith('touched'))
      : Number(String(result).includes('characters 0 to'));
  };
  return {
    world,
    told: () => seen[place],
    asked: () => asked,
    done: () => (isCommand || isRetrieval ? executed() : done),
  };
}

const openItem = async (world: World) => (await reviews(world)).items.find(isOpenItem);
const callOf = async (world: World, { tool }: Point) =>
  payloadsOf(await world.events(), 'skill.executed')
    .filter((payload) => payload.tool === tool)
    .map(({ status, policy_decision }) => [status, policy_decision]);
const deniedAt = async (world: World) => (await world.events()).filter(({ type }) => type === 'policy.denied');

const REFUSALS: Readonly<
  Record<string, { readonly answers: () => unknown; readonly reason: string; readonly needs: readonly string[] }>
> = {
  denies: {
    answers: async () => ({ verdict: 'deny', reason: 'not today', needs: ['a:b'], policyDigest: DIGEST }),
    reason: 'not today',
    needs: ['a:b'],
  },
  throws: {
    answers: () => {
      throw new Error('the key is hunter2');
    },
    reason: 'the governance provider failed',
    needs: [],
  },
  rejects: {
    answers: () => Promise.reject(new Error('the key is hunter2')),
    reason: 'the governance provider failed',
    needs: [],
  },
  'never answers': {
    answers: () => new Promise(() => {}),
    reason: 'the governance provider did not answer within 100 ms',
    needs: [],
  },
  'answers with a word of its own': {
    answers: async () => ({ verdict: 'sure' }),
    reason: 'the governance provider gave no known verdict',
    needs: [],
  },
};

const rows = Object.entries(POINTS).map(([name, point]) => ({ name, point }));

describe.each(rows)('governance at $name', ({ point }) => {
  const isRoot = point.calls === null;

  it('lets through what the provider allows, and has asked once', async () => {
    const scene = await sceneOf(point, async () => ({ verdict: 'allow', policyDigest: DIGEST }));
    await scene.world.run();

    expect(await scene.world.row()).toMatchObject({ status: 'completed' });
    expect(scene.asked()).toHaveLength(1);
    expect(scene.done()).toBeGreaterThan(0);
    expect(await deniedAt(scene.world)).toEqual([]);
    if (point.tool !== undefined) expect(await callOf(scene.world, point)).toEqual([['ok', 'allow']]);
  });

  it.each(Object.entries(REFUSALS))(
    'refuses as data when the provider %s',
    async (_name, { answers, reason, needs }) => {
      const scene = await sceneOf(point, answers);
      await scene.world.run();

      // Who asks for what is refused goes on; the entry agent has nobody above it, and a panel
      // hands on that nobody of it answered.
      expect(await scene.world.row()).toMatchObject(
        isRoot ? { status: 'failed', reason: 'denied' } : { status: 'completed' },
      );
      if (!isRoot && point.skillId !== 'member') expect(scene.told()).toEqual({ status: 'denied', reason, needs });
      expect(scene.done()).toBe(0);
      const [denied, ...more] = await deniedAt(scene.world);
      expect(more).toEqual([]);
      expect(denied).toMatchObject({
        agentId: point.agentId ?? 'root',
        skillId: point.skillId ?? null,
        payload: { reason, needs, ...(reason === 'not today' ? { policy_digest: DIGEST } : {}) },
      });
      if (point.tool !== undefined) expect(await callOf(scene.world, point)).toEqual([['denied', 'deny']]);
      expect(JSON.stringify(await scene.world.events())).not.toContain('hunter2');
    },
  );

  it('parks on an item of kind permission when the provider asks, and goes on when a person approves', async () => {
    const scene = await sceneOf(point, async () => ({
      verdict: 'ask',
      reason: 'somebody has to look',
      approvers: ['lead-1'],
      policyDigest: DIGEST,
    }));
    expect(await scene.world.run()).toMatchObject({ kind: 'parked' });

    expect(scene.done()).toBe(0);
    expect(await openItem(scene.world)).toMatchObject({
      kind: 'permission',
      agentId: point.agentId ?? 'root',
      skillId: point.skillId ?? null,
      reason: 'somebody has to look',
      details: { approvers: ['lead-1'] },
    });
    expect(await deniedAt(scene.world)).toEqual([]);
    await answer(scene.world, { action: 'approve' });
    await goOn(scene.world);

    expect(await scene.world.row()).toMatchObject({ status: 'completed' });
    expect(scene.done()).toBeGreaterThan(0);
    expect((await reviews(scene.world)).items).toHaveLength(1);
    if (point.tool !== undefined) expect(await callOf(scene.world, point)).toEqual([['ok', 'allow']]);
  });

  it('refuses as data when the provider asks and a person rejects', async () => {
    const scene = await sceneOf(point, async () => ({ verdict: 'ask', reason: 'somebody has to look' }));
    await scene.world.run();
    await answer(scene.world, { action: 'reject', comment: 'not now' });
    await goOn(scene.world);

    const reason = expect.stringMatching(/^a person rejected the (call|agent): not now$/);
    expect(await scene.world.row()).toMatchObject(
      isRoot ? { status: 'failed', reason: 'denied' } : { status: 'completed' },
    );
    if (!isRoot && point.skillId !== 'member') expect(scene.told()).toEqual({ status: 'denied', reason, needs: [] });
    expect(scene.done()).toBe(0);
    expect(await deniedAt(scene.world)).toMatchObject([{ payload: { reason, needs: [] } }]);
    if (point.tool !== undefined) expect(await callOf(scene.world, point)).toEqual([['denied', 'deny']]);
  });
});

describe('a provider that asks', () => {
  it('is asked again when a person has approved: what it denies by then stays denied', async () => {
    let isClosed = false;
    const point = POINTS['a child'] as Point;
    const scene = await sceneOf(point, async () =>
      isClosed ? { verdict: 'deny', reason: 'closed meanwhile', needs: [] } : { verdict: 'ask', reason: 'look' },
    );
    await scene.world.run();
    isClosed = true;
    await answer(scene.world, { action: 'approve' });
    await goOn(scene.world);

    expect(scene.told()).toEqual({ status: 'denied', reason: 'closed meanwhile', needs: [] });
    expect(scene.done()).toBe(0);
  });

  it('of an agent that is half done parks it where it is, and what it has done stays done', async () => {
    let isWatched = false;
    let calls = 0;
    const world = await open({
      root: agent('root', { role: 'root', skills: ['note'] }),
      skills: [commandSkill('note', ['true'])],
      script: async ({ turn }) => {
        calls += 1;
        if (turn === 0) await world.requestStop();
        return turn === 0 ? [call('note', { input: '' })] : 'done';
      },
      facilities: () => ({
        decide: async ({ action }) =>
          isWatched && action === 'agent:execute' ? { verdict: 'ask', reason: 'look' } : { verdict: 'allow' },
      }),
    });
    await world.run();
    isWatched = true;
    expect(await world.runClaim(await world.resume())).toMatchObject({ kind: 'parked' });
    expect(calls).toBe(1);
    expect((await openItem(world))?.details).toMatchObject({
      action: 'agent:execute',
      task: 'the task',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    await answer(world, { action: 'approve' });
    await goOn(world);

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'done' });
    expect(calls).toBe(2);
  });

  it('of two children that run side by side parks each on an item of its own', async () => {
    const world = await open({
      root: agent('root', { role: 'root', children: [agent('a'), agent('b')] }),
      script: ({ agent: id, turn }) =>
        id !== 'root'
          ? `${id} did it`
          : turn === 0
            ? [call('delegate_to_a', { task: '1' }), call('delegate_to_b', { task: '2' })]
            : 'done',
      facilities: () => ({
        decide: async ({ agentId }) => (agentId === 'root' ? { verdict: 'allow' } : { verdict: 'ask', reason: 'look' }),
      }),
    });
    await world.run();

    expect((await reviews(world)).items.map(({ agentId }) => agentId).sort()).toEqual(['a', 'b']);
    await answer(world, { action: 'approve' });
    await goOn(world);
    expect(await world.row()).toMatchObject({ status: 'deferred' });
    await answer(world, { action: 'approve' });
    await goOn(world);
    expect(await world.row()).toMatchObject({ status: 'completed', output: 'done' });
  });
});
