import { describe, expect, it } from 'vitest';
import type { Decision, GovernanceProvider, PolicyRequest } from '../../src/domain/ports/governance.js';
import { decide } from '../../src/govern/decide.js';
import { createClock } from '../../src/system/clock.js';
import { agent, call, commandSkill, type World, type WorldOptions } from '../support/run-world.js';
import { failedSteps, lawfulWorlds, payloadsOf } from './laws.js';

const open = lawfulWorlds();
const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** Governance as a run has it: the provider behind `decide`, with a bound of 200 ms. */
const governed =
  (provider: GovernanceProvider | null): NonNullable<WorldOptions['facilities']> =>
  () => ({
    decide: async (request) =>
      (await decide(provider, request, { timeoutMs: 200, clock: createClock(), signal: new AbortController().signal }))
        .decision,
  });

async function run(options: WorldOptions): Promise<World> {
  const world = await open(options);
  await world.run();
  return world;
}

const raw = (answer: unknown): GovernanceProvider => ({ evaluate: async () => answer as Decision });

describe('a governance provider that does not clearly allow', () => {
  it.each<{ name: string; provider: GovernanceProvider | null }>([
    { name: 'denies', provider: raw({ verdict: 'deny', reason: 'no', needs: ['a:b'] }) },
    { name: 'rejects', provider: { evaluate: () => Promise.reject(new Error('down')) } },
    {
      name: 'throws',
      provider: {
        evaluate: () => {
          throw new Error('bug');
        },
      },
    },
    { name: 'never answers', provider: { evaluate: () => never() } },
    { name: 'gives an unknown verdict', provider: raw({ verdict: 'maybe' }) },
    { name: 'answers true', provider: raw(true) },
    { name: 'answers nothing', provider: raw(undefined) },
    { name: 'spells allow in capitals', provider: raw({ verdict: 'ALLOW' }) },
    { name: 'is missing', provider: null },
  ])('closes the run when it $name', async ({ provider }) => {
    let calls = 0;

    const script = () => {
      calls += 1;
      return 'x';
    };

    const world = await run({ root: agent('root', { role: 'root' }), script, facilities: governed(provider) });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'denied' });
    expect(payloadsOf(await world.events(), 'policy.denied')).toMatchObject([{ action: 'agent:execute' }]);
    expect(calls).toBe(0);
  });

  it('closes the run when the question itself cannot be put', async () => {
    const world = await run({
      root: agent('root', { role: 'root' }),
      script: () => 'x',
      facilities: () => ({ decide: () => Promise.reject(new Error('bug in the wiring')) }),
    });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'denied' });
  });

  it('does not hold a run that is aborted meanwhile', async () => {
    const abort = new AbortController();
    const world = await open({
      root: agent('root', { role: 'root' }),
      script: () => 'x',
      decide: () => {
        abort.abort();
        return never();
      },
    });

    await world.run({ abort: abort.signal });

    expect(await world.row()).toMatchObject({ status: 'stopped', reason: 'interrupted' });
  });
});

describe('scopes', () => {
  it.each([
    { name: 'a reserved one', baseScope: ['approvals:resolve'], humanScopes: [] },
    { name: 'one that a role confers on people', baseScope: ['budget:sign'], humanScopes: ['budget:sign'] },
    { name: 'a wildcard over reserved ones', baseScope: ['iam:*'], humanScopes: [] },
  ])('an agent that holds $name is denied, whatever the provider says', async ({ baseScope, humanScopes }) => {
    const world = await run({
      root: agent('root', { role: 'root', baseScope }),
      humanScopes,
      script: () => 'x',
      facilities: governed(raw({ verdict: 'allow' })),
    });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'denied' });
    expect(payloadsOf(await world.events(), 'policy.denied')).toMatchObject([{ needs: baseScope }]);
  });

  it('the live registry denies what the snapshot did not know yet', async () => {
    const world = await run({
      root: agent('root', { role: 'root', baseScope: ['budget:sign'] }),
      script: () => 'x',
      facilities: () => ({ humanScopes: ['budget:sign'] }),
    });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'denied' });
  });

  it('a skill whose scope the agent lacks answers with status, reason and needs, and runs nothing', async () => {
    const outputs: unknown[] = [];
    const world = await run({
      root: agent('root', { role: 'root', skills: ['touch'], baseScope: ['files:read'] }),
      skills: [commandSkill('touch', ['touch', 'made'], { requiredScopes: ['files:read', 'files:write'] })],
      script: ({ turn, request }) => {
        if (turn === 0) return [call('touch', { input: '' })];
        for (const part of request.messages.at(-1)?.parts ?? [])
          if (part.type === 'tool_result') outputs.push(part.isError, part.output);
        return 'told';
      },
    });

    expect(outputs).toEqual([
      true,
      { status: 'denied', reason: 'the agent does not hold files:write', needs: ['files:write'] },
    ]);
    expect(await world.row()).toMatchObject({ status: 'completed', output: 'told' });
    const events = await world.events();
    expect(payloadsOf(events, 'policy.denied')).toEqual([
      { action: 'skill:touch', reason: 'the agent does not hold files:write', needs: ['files:write'] },
    ]);
    expect(payloadsOf(events, 'skill.executed')).toMatchObject([{ status: 'denied', policy_decision: 'deny' }]);
    expect(await failedSteps(world)).toEqual({ 'root/d0/t0/c0:touch': 'denied' });
  });

  it('a denied child is told to its parent as data, and the others go on', async () => {
    const outputs: unknown[] = [];
    const world = await run({
      root: agent('root', { role: 'root', children: [agent('barred', { baseScope: ['iam:modify'] }), agent('free')] }),
      script: ({ agent: id, turn, request }) => {
        if (id !== 'root') return 'free did it';
        if (turn === 0) return [call('delegate_to_barred', { task: 'x' }), call('delegate_to_free', { task: 'y' })];
        for (const part of request.messages.at(-1)?.parts ?? [])
          if (part.type === 'tool_result') outputs.push(part.isError, part.output);
        return 'done';
      },
    });

    expect(outputs).toEqual([
      true,
      { status: 'denied', reason: 'only a person can hold iam:modify', needs: ['iam:modify'] },
      false,
      'free did it',
    ]);
    expect((await world.row()).status).toBe('completed');
    const started = payloadsOf(await world.events(), 'agent.started').map((payload) => payload.activation);
    expect(started).toEqual(['root', 'root/d0/t0/c1:free']);
  });
});

describe('a revocation between two claims', () => {
  const skill = commandSkill('note', ['sh', '-c', 'echo x >> notes']);

  /** Stopped after its first turn; from then on the action is denied. */
  async function revoked(
    denied: (request: PolicyRequest) => boolean,
  ): Promise<{ readonly world: World; readonly calls: () => number }> {
    let calls = 0;
    let isRevoked = false;
    const world = await open({
      root: agent('root', { role: 'root', skills: ['note'] }),
      skills: [skill],
      facilities: () => ({
        decide: async (request) =>
          isRevoked && denied(request) ? { verdict: 'deny', reason: 'revoked', needs: [] } : { verdict: 'allow' },
      }),
      script: async ({ turn }) => {
        calls += 1;
        if (turn === 0) await world.requestStop();
        return turn < 2 ? [call('note', { input: '' })] : 'done';
      },
    });
    await world.run();
    expect((await world.row()).status).toBe('stopped');
    isRevoked = true;
    await world.runClaim(await world.resume());
    return { world, calls: () => calls };
  }

  it('reaches an agent that is half done: it makes no further call', async () => {
    const { world, calls } = await revoked((request) => request.action === 'agent:execute');

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'denied' });
    expect(calls()).toBe(1);
    expect(payloadsOf(await world.events(), 'policy.denied')).toMatchObject([
      { action: 'agent:execute', reason: 'revoked' },
    ]);
  });

  it('changes nothing for what is done: a finished agent is never asked about again', async () => {
    const world = await run({ root: agent('root', { role: 'root' }), script: () => 'x' });

    expect(await world.replay()).toEqual({ kind: 'completed', output: 'x' });
  });
});
