import { afterEach, describe, expect, it } from 'vitest';
import { KitError } from '../../src/domain/errors.js';
import type { Json } from '../../src/domain/json.js';
import type { LinkedSkill } from '../../src/domain/linked-skill.js';
import type { AgentCard, AgentTask } from '../../src/domain/ports/agent-transport.js';
import type { RemoteAgents } from '../../src/domain/ports/remote-agents.js';
import { Masker } from '../../src/lib/masker.js';
import { agent, call, commandSkill, openWorld, type World, type WorldOptions } from '../support/run-world.js';
import { payloadsOf } from './laws.js';

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function open(options: WorldOptions): Promise<World> {
  const world = await openWorld(options);
  worlds.push(world);
  return world;
}

const say = (value: unknown): readonly string[] => ['echo', JSON.stringify(value)];
const json = (id: string, value: unknown, over: Partial<LinkedSkill> = {}): LinkedSkill => {
  const made = commandSkill(id, say(value), { effects: 'read', ...over });
  if (made.implementation.type !== 'command') throw new Error('no command');
  return {
    ...made,
    implementation: { ...made.implementation, command: { ...made.implementation.command, parse: 'json' } },
  };
};
const verdict = (id: string, word: string, confidence = 1): LinkedSkill =>
  json(id, { verdict: word, confidence, reasoning: `${id} says ${word}` });
const panel = (
  composes: readonly string[],
  strategy = 'parallel-consensus',
  over: Partial<LinkedSkill> = {},
): LinkedSkill => ({
  ...commandSkill('panel', ['true'], { effects: 'none' }),
  ...over,
  implementation: { type: 'composed', composes, strategy },
});

/** One agent that calls one skill and then answers. */
async function calling(skill: string, skills: readonly LinkedSkill[], over: Partial<WorldOptions> = {}) {
  const world = await open({
    root: agent('root', { skills: skills.map(({ id }) => id), baseScope: ['kb:read'] }),
    skills,
    script: ({ turn }) => (turn === 0 ? [call(skill, { input: 'x' })] : 'done'),
    ...over,
  });
  const ended = await world.run();
  const events = await world.events();
  const executed = events.flatMap((event) => (event.type === 'skill.executed' ? [event.payload] : []));
  return { world, ended, executed, of: (tool: string) => executed.find((payload) => payload.tool === tool) };
}

describe('a panel of skills', () => {
  it('is a tool whose result holds every vote, and each member is a call of its own', async () => {
    const { of, executed, world } = await calling('panel', [
      verdict('a', 'pass', 0.5),
      verdict('b', 'pass', 1),
      verdict('c', 'fail'),
      panel(['a', 'b', 'c']),
    ]);

    expect(of('panel')).toMatchObject({
      status: 'ok',
      outputs: { verdict: 'pass', confidence: 0.75, quorum_missed: false },
    });
    expect(JSON.stringify(of('panel')?.outputs)).toContain('c says fail');
    expect(executed.map(({ tool }) => tool).toSorted()).toEqual(['a', 'b', 'c', 'panel']);
    const rows = await world.stores.runs.load(world.job.id);
    expect(rows.filter(({ key }) => /\/v\d:/.test(key)).map(({ kind, outcome }) => [kind, outcome?.status])).toEqual(
      Array(3).fill(['tool', 'ok']),
    );
    expect(await world.replay()).toMatchObject({ kind: 'completed' });
  });

  it.each([
    ['a tie', [verdict('a', 'pass'), verdict('b', 'fail')], 'fail'],
    ['no majority', [verdict('a', 'pass'), verdict('b', 'fail'), verdict('c', 'needs-revision')], 'fail'],
    [
      'votes that were not cast',
      [verdict('a', 'pass'), commandSkill('b', ['false']), json('c', { no: 'verdict' })],
      'pass',
    ],
    ['nobody who voted', [commandSkill('a', ['false'])], 'fail'],
  ] as const)('takes %s as it is meant', async (_name, members, expected) => {
    const { of } = await calling('panel', [...members, panel(members.map(({ id }) => id))]);

    const cast = members.filter(({ id }) => of(id)?.status === 'ok' && id !== 'c').length;
    expect(of('panel')?.outputs).toMatchObject({
      verdict: expected,
      ...(members.length === 1 ? { quorum_missed: true } : {}),
    });
    expect(cast).toBeGreaterThanOrEqual(members.length === 1 ? 0 : 1);
  });

  it('asks its members one after another where it is sequential, and nobody after the first that does not pass', async () => {
    const { of, executed } = await calling('panel', [
      verdict('a', 'pass'),
      verdict('b', 'needs-revision', 0.4),
      verdict('c', 'pass'),
      panel(['a', 'b', 'c'], 'sequential'),
    ]);

    expect(of('panel')?.outputs).toMatchObject({ verdict: 'needs-revision', confidence: 0.4 });
    expect(executed.map(({ tool }) => tool)).toEqual(['a', 'b', 'panel']);
  });

  it('takes a member without an answer for a fail where it is sequential', async () => {
    const { of } = await calling('panel', [commandSkill('a', ['false']), panel(['a'], 'sequential')]);

    expect(of('panel')?.outputs).toMatchObject({ verdict: 'fail', confidence: 0 });
  });

  it('counts no vote of a member that the caller may not call', async () => {
    const { of } = await calling('panel', [
      verdict('a', 'pass'),
      { ...verdict('b', 'fail'), requiredScopes: ['kb:write'] },
      panel(['a', 'b']),
    ]);

    expect(of('b')).toMatchObject({ status: 'denied', policy_decision: 'deny' });
    expect(of('panel')?.outputs).toMatchObject({ verdict: 'pass', quorum_missed: true });
  });

  it('is refused itself for a scope that the caller does not hold, and asks nobody', async () => {
    const { executed } = await calling('panel', [
      verdict('a', 'pass'),
      panel(['a'], 'sequential', { requiredScopes: ['kb:write'] }),
    ]);

    expect(executed).toMatchObject([{ tool: 'panel', status: 'denied', policy_decision: 'deny' }]);
  });

  it('fails the call for a strategy that nothing knows', async () => {
    const { of } = await calling('panel', [verdict('a', 'pass'), panel(['a'], 'custom')]);

    expect(of('panel')).toMatchObject({ status: 'failed', reason: 'strategy_unknown' });
  });
});

describe('constraints of a skill', () => {
  const sleepy = (over: Partial<LinkedSkill> = {}) =>
    commandSkill('nap', ['sleep', '30'], { effects: 'read', ...over });

  it('end a call that takes too long as a failed one', async () => {
    const { of, ended } = await calling('nap', [
      sleepy({ constraints: { timeoutMs: 50, retries: 0, backoff: 'none' } }),
    ]);

    expect(of('nap')).toMatchObject({ status: 'failed', reason: 'timeout' });
    expect(ended).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
  });

  const counting = (over: Partial<LinkedSkill>): LinkedSkill =>
    commandSkill('count', ['sh', '-c', 'echo x >> tries; test $(wc -l < tries) -ge 3 && echo third'], over);

  it('repeat a call that changes nothing until it succeeds, as one call', async () => {
    const { of, executed, world } = await calling('count', [
      counting({ effects: 'read', constraints: { timeoutMs: null, retries: 2, backoff: 'none' } }),
    ]);

    expect(executed).toHaveLength(1);
    expect(of('count')).toMatchObject({ status: 'ok', outputs: 'third' });
    expect(await world.replay()).toMatchObject({ kind: 'completed' });
  });

  it.each(['write', 'unknown', 'destructive'] as const)('never repeat a call whose effects are %s', async (effects) => {
    const { of } = await calling('count', [
      counting({ effects, constraints: { timeoutMs: null, retries: 2, backoff: 'none' } }),
    ]);

    expect(of('count')).toMatchObject({ status: 'failed', reason: 'exit_code' });
  });

  it.each([
    ['none', []],
    ['linear', [1000, 2000]],
    ['exponential', [1000, 2000]],
  ] as const)('pause between attempts as %s says', async (backoff, pauses) => {
    const waited: number[] = [];
    await calling('count', [counting({ effects: 'read', constraints: { timeoutMs: null, retries: 2, backoff } })], {
      facilities: () => ({ pause: async (ms) => void waited.push(ms) }),
    });

    expect(waited).toEqual(pauses);
  });
});

describe('outputs of a skill', () => {
  const OUTPUTS = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } } as const;

  it('make a failed call of a result that does not fit', async () => {
    const { of } = await calling('json', [json('json', { n: 'one' }, { outputs: OUTPUTS })]);

    expect(of('json')).toMatchObject({ status: 'failed', reason: 'output_invalid' });
  });

  it('take text that holds the value', async () => {
    const { of } = await calling('text', [commandSkill('text', say({ n: 1 }), { outputs: OUTPUTS })]);

    expect(of('text')).toMatchObject({ status: 'ok', outputs: { n: 1 } });
  });
});

describe('an agent that runs elsewhere', () => {
  const remote = (over: Partial<LinkedSkill> = {}, timeoutMs = 1000): LinkedSkill => ({
    ...commandSkill('away', ['true'], { effects: 'unknown' }),
    ...over,
    implementation: {
      type: 'agent',
      topology: null,
      cardUrl: 'http://localhost/card',
      skillId: 'talk',
      credentialsRef: 'key',
      timeoutMs,
      permission: 'open',
    },
  });

  const CARD = {
    ...{ name: 'Away', description: '', url: 'http://localhost/a2a', version: '1.0', streaming: true, skills: [] },
    ...{ requiresBearer: true, honorsBudget: true, deduplicates: true },
  };
  const TASK: AgentTask = {
    ...{ id: 'task-1', contextId: null, state: 'completed', text: null, output: '', gateUrl: null, runId: 'r1' },
    usage: { inputTokens: 3, outputTokens: 4, costUsd: 0.5 },
  };
  /** An agent that answers each send and each look with the next of these. */
  const agentOf = (answers: readonly (Partial<AgentTask> | Error)[], over: Partial<AgentCard> = {}) => {
    const asked: unknown[] = [];
    const left = [...answers];
    const next = async (): Promise<AgentTask> => {
      const answer = left.length > 1 ? left.shift() : left[0];
      if (answer instanceof Error) throw answer;
      return { ...TASK, ...answer };
    };
    const remoteAgents: RemoteAgents = {
      card: async ({ signal: _signal, ...agent }) => {
        asked.push(['card', agent]);
        return { ...CARD, ...over };
      },
      send: async (_agent, to, message) => {
        asked.push(['send', to, message]);
        return next();
      },
      get: async (_agent, to, id) => {
        asked.push(['get', to, id]);
        return next();
      },
      cancel: async (_agent, _to, id) => void asked.push(['cancel', id]),
    };
    return { asked, facilities: () => ({ remoteAgents }) };
  };
  const away = (code: 'KIT_OUTBOUND_FAILED', isSent: boolean) => new KitError(code, 'it is away', { data: { isSent } });

  it('is called once through the port, and its answer is the result', async () => {
    const { asked, facilities } = agentOf([{ output: { said: 'hello' } }]);
    const { of, world } = await calling('away', [remote()], { facilities });

    expect(of('away')).toMatchObject({ status: 'ok', outputs: { said: 'hello' } });
    expect(asked).toEqual([
      ['card', { cardUrl: 'http://localhost/card', skillId: 'talk', credentialsRef: 'key' }],
      [
        'send',
        { url: 'http://localhost/a2a', version: '1.0' },
        {
          messageId: expect.stringMatching(/^[0-9a-f]{32}$/),
          input: 'x',
          budget: { usd: null, turns: expect.any(Number), wallClockMs: 1000 },
        },
      ],
    ]);
    expect(payloadsOf(await world.events(), 'a2a.remote_usage')).toEqual([
      {
        ...{ card: 'http://localhost/card', skill_id: 'talk', remote_run_id: 'r1', endpoint: 'http://localhost/a2a' },
        ...{ input_tokens: 3, output_tokens: 4, cost_usd: 0.5, source: 'reported' },
      },
    ]);
    expect(await world.replay()).toMatchObject({ kind: 'completed' });
    expect(asked).toHaveLength(2);
  });

  it('that repeats the credential it was called with is masked, in its answer and in its failure', async () => {
    const SECRET = 'remote/+4f1b9c-planted=key';
    const masker = new Masker([SECRET]);
    const mask = <T extends Json>(value: T): T => masker.maskJson(value);
    const reported: readonly Partial<AgentTask>[] = [
      { output: { said: `with ${SECRET}`, coded: Buffer.from(SECRET).toString('base64') } },
      { state: 'failed', text: `no: ${SECRET}` },
    ];
    for (const answer of reported) {
      const { world } = await calling('away', [remote()], {
        facilities: () => ({
          mask,
          redactCall: async (_skill, shown) => mask(shown as unknown as Json) as never,
          ...agentOf([answer]).facilities(),
        }),
      });

      const kept = JSON.stringify([await world.events(), await world.row()]);
      expect(kept).toContain('[MASKED]');
      for (const form of [SECRET, Buffer.from(SECRET).toString('base64')]) expect(kept).not.toContain(form);
    }
  });

  it.each<readonly [string, Partial<AgentTask>, boolean]>([
    ['remote_failed', { state: 'failed', text: 'not today' }, false],
    ['remote_canceled', { state: 'canceled' }, false],
    ['remote_unanswerable', { state: 'input-required', text: 'which one?' }, true],
  ])('is a failed call, %s, where its task ends so', async (reason, answer, isCanceled) => {
    const { asked, facilities } = agentOf([answer]);
    expect((await calling('away', [remote()], { facilities })).of('away')).toMatchObject({ status: 'failed', reason });
    expect(asked.some((one) => JSON.stringify(one) === '["cancel","task-1"]')).toBe(isCanceled);
  });

  it('is a failed call where nothing can reach it', async () => {
    expect((await calling('away', [remote()])).of('away')).toMatchObject({
      status: 'failed',
      reason: 'remote_agents_unavailable',
    });
  });

  it('lets go of the run while the other side works, and finds the task again', async () => {
    const { asked, facilities } = agentOf([{ state: 'working' }]);
    const { ended, world } = await calling('away', [remote({}, 60_000)], { facilities });

    expect(ended).toMatchObject({ kind: 'waiting', waitingOn: [expect.stringMatching(/^remote:/)] });
    expect(asked.filter((one) => JSON.stringify(one).startsWith('["send"'))).toHaveLength(1);
    const [row] = [...(await world.stores.runs.load(world.job.id))].filter(({ notes }) => notes.remote !== undefined);
    expect(row?.notes.remote).toMatchObject({ task: 'task-1', url: 'http://localhost/a2a', isSending: false });
  });

  it('is told to stop when the run is stopped while it works', async () => {
    const { asked, facilities } = agentOf([{ state: 'working' }]);
    const { remoteAgents } = facilities();
    const world: World = await open({
      root: agent('root', { skills: ['away'] }),
      skills: [remote({}, 60_000)],
      script: ({ turn }) => (turn === 0 ? [call('away', { input: 'x' })] : 'done'),
      facilities: () => ({
        remoteAgents: {
          ...remoteAgents,
          get: async (...of) => {
            await world.requestStop();
            return remoteAgents.get(...of);
          },
        },
      }),
    });

    await world.run();

    expect((await world.row()).status).toBe('stopped');
    expect(asked).toContainEqual(['cancel', 'task-1']);
  });

  it('lets go of the run while people of the other side decide, and says where', async () => {
    const gateUrl = 'http://localhost/gates/g1';
    const { facilities } = agentOf([{ state: 'input-required', gateUrl }]);
    const { ended, world } = await calling('away', [remote()], { facilities });

    expect(ended).toMatchObject({ kind: 'waiting' });
    const [row] = [...(await world.stores.runs.load(world.job.id))].filter(({ notes }) => notes.remote !== undefined);
    expect(row?.notes.remote).toMatchObject({ state: 'input-required', gateUrl });
  });

  it('waits for a side that got nothing, and leaves a message in doubt where the agent would not know it again', async () => {
    const down = agentOf([away('KIT_OUTBOUND_FAILED', false)], { deduplicates: false });
    const doubt = agentOf([away('KIT_OUTBOUND_FAILED', true)], { deduplicates: false });
    const knows = agentOf([away('KIT_OUTBOUND_FAILED', true)]);
    const asks = { onInDoubt: 'ask' } as const;

    expect((await calling('away', [remote(asks, 60_000)], down)).ended).toMatchObject({ kind: 'waiting' });
    expect((await calling('away', [remote(asks, 60_000)], doubt)).of('away')).toMatchObject({
      status: 'failed',
      reason: 'remote_in_doubt',
    });
    expect((await calling('away', [remote(asks, 60_000)], knows)).ended).toMatchObject({ kind: 'waiting' });
  });

  it('is put before a person where the skill says so', async () => {
    const { ended } = await calling('away', [remote({ onFailure: 'escalate_to_human' })]);

    expect(ended).toMatchObject({ kind: 'parked', waitingOn: [expect.stringMatching(/^other-/)] });
  });
});
