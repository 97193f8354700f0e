import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { GovernanceProvider, PolicyRequest } from '../../src/domain/ports/governance.js';
import type { Clock } from '../../src/domain/ports/system.js';
import { decide } from '../../src/govern/decide.js';
import { type PermitQuestion, permit } from '../../src/govern/permit.js';

const REQUEST: PolicyRequest = { agentId: 'writer', action: 'agent:execute', scopesRequired: [], context: {} };
const clock: Clock = {
  now: () => 0,
  sleep: (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal }),
};
const options = () => ({ timeoutMs: 5_000, clock, signal: new AbortController().signal });

/** Answers with whatever a broken provider may answer. */
const answering = (answer: unknown): GovernanceProvider => ({ evaluate: async () => answer as never });

describe('decide', () => {
  it('bounds what a provider says, and denies where it names people without end', async () => {
    const big = 'x'.repeat(1_000_000);
    const said = async (answer: object) => JSON.stringify(await decide(answering(answer), REQUEST, options()));
    const many = Array.from({ length: 10_000 }, () => 'a:b');
    expect(await said({ verdict: 'deny', reason: big, needs: [big, ...many], policyDigest: big })).toMatch(
      /^.{0,5000}$/,
    );
    expect(await said({ verdict: 'allow', policyDigest: big })).toMatch(/^.{0,1000}$/);
    expect(await said({ verdict: 'ask', reason: big, approvers: ['ann'] })).toContain('"ask"');
    for (const approvers of [many, [big]])
      expect(await said({ verdict: 'ask', reason: 'big', approvers })).toContain('"deny"');
  });

  it('passes on the three verdicts', async () => {
    expect(await decide(answering({ verdict: 'allow' }), REQUEST, options())).toEqual({
      decision: { verdict: 'allow' },
      fault: null,
    });
    expect(await decide(answering({ verdict: 'deny', reason: 'no', needs: ['a:b'] }), REQUEST, options())).toEqual({
      decision: { verdict: 'deny', reason: 'no', needs: ['a:b'] },
      fault: null,
    });
    expect(await decide(answering({ verdict: 'ask', reason: 'big' }), REQUEST, options())).toEqual({
      decision: { verdict: 'ask', reason: 'big' },
      fault: null,
    });
    expect(await decide(answering({ verdict: 'ask', reason: 'big', approvers: ['ann'] }), REQUEST, options())).toEqual({
      decision: { verdict: 'ask', reason: 'big', approvers: ['ann'] },
      fault: null,
    });
  });

  it.each([['ann'], [[1]], [{ 0: 'ann' }]])(
    'denies when it cannot be read whom the provider wants to be asked: %j',
    async (approvers) => {
      expect(await decide(answering({ verdict: 'ask', reason: 'big', approvers }), REQUEST, options())).toMatchObject({
        decision: { verdict: 'deny' },
        fault: 'verdict_unknown',
      });
    },
  );

  it('denies when the answer throws as it is read, whether it comes at once or later', async () => {
    const answer = {
      get verdict(): never {
        throw new Error('hunter2');
      },
    };
    for (const provider of [answering(answer), { evaluate: () => answer as never }])
      expect(await decide(provider, REQUEST, options())).toEqual({
        decision: { verdict: 'deny', reason: 'the governance provider failed', needs: [] },
        fault: 'provider_failed',
      });
  });

  it.each([
    [undefined],
    [null],
    ['allow'],
    [true],
    [{}],
    [{ verdict: 'ALLOW' }],
    [{ verdict: 'allowed' }],
    [{ allowed: true }],
    [[]],
  ])('denies when the provider answers %j', async (answer) => {
    const decided = await decide(answering(answer), REQUEST, options());
    expect(decided).toMatchObject({ decision: { verdict: 'deny' }, fault: 'verdict_unknown' });
  });

  it('denies without a provider', async () => {
    expect(await decide(null, REQUEST, options())).toMatchObject({
      decision: { verdict: 'deny' },
      fault: 'provider_missing',
    });
  });

  it('denies when the provider throws or rejects, and does not repeat its text', async () => {
    const throwing: GovernanceProvider = {
      evaluate: () => {
        throw new Error('token hunter2 expired');
      },
    };
    const rejecting: GovernanceProvider = { evaluate: () => Promise.reject(new Error('token hunter2 expired')) };
    for (const provider of [throwing, rejecting]) {
      const decided = await decide(provider, REQUEST, options());
      expect(decided).toMatchObject({ decision: { verdict: 'deny' }, fault: 'provider_failed' });
      expect(JSON.stringify(decided)).not.toContain('hunter2');
    }
  });

  it('denies when the provider takes too long, and tells it to stop', async () => {
    let stopped = false;
    const slow: GovernanceProvider = {
      evaluate: (_, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            stopped = true;
            resolve({ verdict: 'allow' });
          });
        }),
    };
    expect(await decide(slow, REQUEST, { ...options(), timeoutMs: 5 })).toMatchObject({
      decision: { verdict: 'deny' },
      fault: 'provider_timeout',
    });
    expect(stopped).toBe(true);
  });

  it('passes on an abort of the run and records no denial', async () => {
    const controller = new AbortController();
    const never: GovernanceProvider = { evaluate: () => new Promise(() => undefined) };
    const deciding = decide(never, REQUEST, { ...options(), signal: controller.signal });
    controller.abort(new Error('run stopped'));
    await expect(deciding).rejects.toThrow('run stopped');
    await expect(
      decide(answering({ verdict: 'allow' }), REQUEST, { ...options(), signal: controller.signal }),
    ).rejects.toThrow('run stopped');
  });
});

describe('permit', () => {
  const question = (part: Partial<PermitQuestion>): PermitQuestion => ({
    request: REQUEST,
    heldScopes: [],
    humanScopes: [],
    tier: null,
    ...part,
  });
  const forbidden = (): never => {
    throw new Error('the provider must not be asked');
  };

  it('denies for scopes before anybody is asked', async () => {
    const request = { ...REQUEST, scopesRequired: ['repo:read'] };
    expect(await permit(question({ request }), forbidden)).toEqual({
      verdict: 'deny',
      by: 'scopes',
      reason: 'the agent does not hold repo:read',
      needs: ['repo:read'],
    });
  });

  it('settles by the tier what the tier settles', async () => {
    expect(await permit(question({ tier: { permission: 'cautious', effects: 'read' } }), forbidden)).toEqual({
      verdict: 'allow',
      by: 'tier',
    });
    expect(await permit(question({ tier: { permission: 'readonly', effects: 'write' } }), forbidden)).toMatchObject({
      verdict: 'deny',
      by: 'tier',
    });
    expect(await permit(question({ tier: { permission: 'strict', effects: 'read' } }), forbidden)).toMatchObject({
      verdict: 'ask',
      by: 'tier',
    });
  });

  it('asks the provider for the rest and takes its verdict', async () => {
    const deny = async () => ({ verdict: 'deny', reason: 'not today', needs: [] }) as const;
    expect(await permit(question({ tier: { permission: 'cautious', effects: 'write' } }), deny)).toMatchObject({
      verdict: 'deny',
      reason: 'not today',
      by: 'provider',
    });
    expect(await permit(question({}), async () => ({ verdict: 'allow' }))).toEqual({
      verdict: 'allow',
      by: 'provider',
    });
  });
});
