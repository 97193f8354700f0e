import { describe, expect, it } from 'vitest';
import type { PolicyRequest } from '../../src/domain/ports/governance.js';
import { agent, call, commandSkill } from '../support/run-world.js';
import { lawfulWorlds, payloadsOf } from './laws.js';

const open = lawfulWorlds();
const root = agent('root', { role: 'root' });

describe('trust in an agent', () => {
  it.each([
    { score: null, tier: null },
    { score: 1, tier: null },
    { score: 0.8, tier: null },
    { score: 0.79, tier: 'degraded' },
    { score: 0.4, tier: 'degraded' },
    { score: 0.39, tier: 'untrusted' },
    { score: 0.2, tier: 'untrusted' },
  ])('of $score lets it run, and is told when it is not full', async ({ score, tier }) => {
    const world = await open({ root, script: () => 'done', facilities: () => ({ trust: async () => score }) });
    await world.run();

    expect(await world.row()).toMatchObject({ status: 'completed' });
    expect(payloadsOf(await world.events(), 'trust.degraded')).toEqual(tier === null ? [] : [{ score, tier }]);
    expect(payloadsOf(await world.events(), 'trust.denied')).toEqual([]);
  });

  it.each([
    { name: 'below 0.2', score: 0.19, told: 0.19 },
    { name: 'of nothing', score: 0, told: 0 },
    { name: 'that is not a number of the range', score: 7, told: null },
    { name: 'that is not a number', score: Number.NaN, told: null },
  ])('$name denies it before anything is asked or paid', async ({ score, told: reported }) => {
    let asked = 0;
    const count = () => {
      asked += 1;
    };
    const world = await open({
      root,
      script: () => {
        count();
        return 'done';
      },
      facilities: () => ({
        trust: async () => score,
        decide: async () => {
          count();
          return { verdict: 'allow' };
        },
      }),
    });
    await world.run();

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'denied' });
    expect(payloadsOf(await world.events(), 'trust.denied')).toEqual([{ score: reported, tier: 'denied' }]);
    expect(payloadsOf(await world.events(), 'policy.denied')).toMatchObject([{ action: 'agent:execute' }]);
    expect(asked).toBe(0);
  });

  it('that cannot be read is not trust', async () => {
    const world = await open({
      root,
      script: () => 'done',
      facilities: () => ({ trust: () => Promise.reject(new Error('down')) }),
    });
    await world.run();

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'denied' });
    expect(payloadsOf(await world.events(), 'trust.denied')).toEqual([{ score: null, tier: 'denied' }]);
  });

  it('that is lost while it runs refuses its next call, as data, and policies see the score', async () => {
    const seen: PolicyRequest[] = [];
    const reported: unknown[] = [];
    let score = 0.5;
    const world = await open({
      root: agent('root', { role: 'root', skills: ['touch'] }),
      skills: [commandSkill('touch', ['touch', 'made'])],
      script: ({ turn, request }) => {
        if (turn === 0) {
          score = 0.1;
          return [call('touch', { input: 'x' })];
        }
        for (const part of request.messages.at(-1)?.parts ?? [])
          if (part.type === 'tool_result') reported.push(part.output);
        score = 0.5; // a replay asks again
        return 'told';
      },
      facilities: () => ({
        trust: async () => score,
        decide: async (request) => {
          seen.push(request);
          return { verdict: 'allow' };
        },
      }),
    });
    await world.run();

    expect(reported).toEqual([{ status: 'denied', reason: 'the trust score 0.1 is below 0.2', needs: [] }]);
    expect(payloadsOf(await world.events(), 'skill.executed')).toMatchObject([
      { status: 'denied', policy_decision: 'deny' },
    ]);
    expect(seen.map(({ action, context }) => [action, context.trust])).toEqual([['agent:execute', 0.5]]);
  });
});

describe('trust over a stop', () => {
  it('is read anew when the run goes on, and kept nowhere: an agent that was trusted when it began is denied', async () => {
    let score = 0.5;
    let calls = 0;
    const world = await open({
      root: agent('root', { role: 'root', skills: ['touch'] }),
      skills: [commandSkill('touch', ['touch', 'made'])],
      script: async ({ turn }) => {
        calls += 1;
        if (turn === 0) await world.requestStop();
        return turn === 0 ? [call('touch', { input: 'x' })] : 'told';
      },
      facilities: () => ({ trust: async () => score }),
    });
    await world.run();
    score = 0.1;
    await world.runClaim(await world.resume());

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'denied' });
    expect(calls).toBe(1);
    expect(payloadsOf(await world.events(), 'trust.degraded')).toEqual([{ score: 0.5, tier: 'degraded' }]);
    expect(payloadsOf(await world.events(), 'trust.denied')).toEqual([{ score: 0.1, tier: 'denied' }]);
    score = 0.5; // a replay asks again
  });
});

describe('the policies that decided', () => {
  it('are named in the record of a start that was allowed and in the event of a call that was denied', async () => {
    const digest = 'd'.repeat(64);
    const world = await open({
      root: agent('root', { role: 'root', skills: ['touch'] }),
      skills: [commandSkill('touch', ['touch', 'made'], { implementation: cautious() })],
      script: ({ turn }) => (turn === 0 ? [call('touch', { input: 'x' })] : 'told'),
      facilities: () => ({
        decide: async ({ action }) =>
          action === 'agent:execute'
            ? { verdict: 'allow', policyDigest: digest }
            : { verdict: 'deny', reason: 'no', needs: [], policyDigest: digest },
      }),
    });
    await world.run();
    const rows = await world.stores.runs.load(world.job.id);

    expect(rows.find(({ kind }) => kind === 'activation')?.notes).toEqual({
      decision: { verdict: 'allow', policyDigest: digest },
    });
    expect(payloadsOf(await world.events(), 'policy.denied')).toEqual([
      { action: 'skill:touch', reason: 'no', needs: [], policy_digest: digest },
    ]);
  });
});

/** A command that its tier puts to the provider. */
function cautious() {
  const { implementation } = commandSkill('touch', ['touch', 'made']);
  if (implementation.type !== 'command') throw new Error('a command skill has a command');
  return { ...implementation, command: { ...implementation.command, permission: 'cautious' as const } };
}
