import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answer, goOn, isOpenItem, reviews } from '../support/gated.js';
import { agent, call, commandSkill, type Script } from '../support/run-world.js';
import { lawfulWorlds, payloadsOf } from './laws.js';

const open = lawfulWorlds();
const release = commandSkill('release', ['sh', '-c', 'echo once >> released; echo out'], {
  requiredScopes: ['repo:read', 'repo:release'],
});
const root = agent('root', {
  role: 'root',
  skills: ['release'],
  baseScope: ['repo:read'],
  elevatedScopes: ['repo:release'],
});

/** Calls the skill so many times, one a turn, and keeps what it is told. */
function caller(times = 1): { readonly script: Script; readonly told: unknown[] } {
  const reported: unknown[] = [];
  return {
    told: reported,
    script: ({ turn, request }) => {
      if (turn > 0)
        for (const part of request.messages.at(-1)?.parts ?? [])
          if (part.type === 'tool_result') reported.push(part.output);
      return turn < times ? [call('release', { input: `v${turn + 1}` })] : 'told';
    },
  };
}

describe('a call that needs an elevated scope', () => {
  it('parks on an item that names skill, arguments and scopes, and is done when a person grants them', async () => {
    const { script, told: reported } = caller();
    const world = await open({ root, skills: [release], script });
    expect(await world.run()).toMatchObject({ kind: 'parked' });

    const [item] = (await reviews(world)).items.filter(isOpenItem);
    expect(item).toMatchObject({
      kind: 'permission',
      agentId: 'root',
      skillId: 'release',
      stepKey: 'root/d0/t0/c0:release/elevate',
      details: { skill: 'release', scopes: ['repo:release'], input: { input: 'v1' } },
    });
    expect(existsSync(join(world.dir, 'released'))).toBe(false);

    await answer(world, { action: 'approve' });
    await goOn(world);
    expect(reported).toEqual(['out\n'].map((line) => expect.stringContaining(line.trim())));
    expect(payloadsOf(await world.events(), 'skill.executed')).toMatchObject([
      { status: 'ok', policy_decision: 'allow' },
    ]);
  });

  it('is denied as data when the person does not grant it, and nothing ran', async () => {
    const { script, told: reported } = caller();
    const world = await open({ root, skills: [release], script });
    await world.run();
    await answer(world, { action: 'reject', comment: 'after the freeze' });
    await goOn(world);

    expect(reported).toEqual([
      { status: 'denied', reason: 'a person did not grant repo:release: after the freeze', needs: ['repo:release'] },
    ]);
    expect(payloadsOf(await world.events(), 'skill.executed')).toMatchObject([
      { status: 'denied', policy_decision: 'deny' },
    ]);
    expect(existsSync(join(world.dir, 'released'))).toBe(false);
  });

  it('is denied once for a skill that holds steps of its own, and the run goes on from there after another stop', async () => {
    const { script, told: reported } = caller(2);
    const { model } = root;
    const prompt = { type: 'llm_prompt', prompt: 'Release it.', model } as const;
    const world = await open({ root, skills: [{ ...release, implementation: prompt }], script });
    await world.run();
    await answer(world, { action: 'reject', comment: 'not now' });
    expect(await goOn(world)).toMatchObject({ kind: 'parked' });
    await answer(world, { action: 'reject', comment: 'not now either' });
    await goOn(world);

    expect(await world.row()).toMatchObject({ status: 'completed', reason: null });
    expect(reported).toMatchObject([{ status: 'denied' }, { status: 'denied' }]);
  });

  it('is granted alone: the next call of the same skill asks again', async () => {
    const { script, told: reported } = caller(2);
    const world = await open({ root, skills: [release], script });
    await world.run();
    await answer(world, { action: 'approve' });
    expect(await goOn(world)).toMatchObject({ kind: 'parked' });
    await answer(world, { action: 'approve' });
    await goOn(world);

    expect(reported).toHaveLength(2);
    expect((await reviews(world)).items.map(({ stepKey }) => stepKey)).toEqual([
      'root/d0/t0/c0:release/elevate',
      'root/d0/t1/c0:release/elevate',
    ]);
  });

  it.each([
    {
      name: 'misses another scope that nobody can grant',
      over: { elevatedScopes: ['repo:release'], baseScope: [] },
      humanScopes: [],
      needs: ['repo:read'],
    },
    {
      name: 'needs a scope of people, elevated or not',
      over: {},
      humanScopes: ['repo:release'],
      needs: ['repo:release'],
    },
  ])('asks nobody when the call $name', async ({ over, humanScopes, needs }) => {
    const { script, told: reported } = caller();
    const world = await open({ root: { ...root, ...over }, skills: [release], script, humanScopes });
    await world.run();

    expect(await world.row()).toMatchObject({ status: 'completed' });
    expect(reported).toMatchObject([{ status: 'denied', needs }]);
    expect((await reviews(world)).items).toEqual([]);
  });

  it('is decided on again after the grant: a policy that denies meanwhile holds', async () => {
    const { script, told: reported } = caller();
    let isFrozen = false;
    const world = await open({
      root,
      skills: [{ ...release, implementation: cautious() }],
      script,
      facilities: () => ({
        decide: async ({ action }) =>
          isFrozen && action !== 'agent:execute'
            ? { verdict: 'deny', reason: 'frozen', needs: [] }
            : { verdict: 'allow' },
      }),
    });
    await world.run();
    isFrozen = true;
    await answer(world, { action: 'approve' });
    await goOn(world);

    expect(reported).toEqual([{ status: 'denied', reason: 'frozen', needs: [] }]);
  });

  it('asks nobody about arguments that do not fit', async () => {
    const { script, told: reported } = caller();
    const world = await open({ root, skills: [{ ...release, inputs: { type: 'object', required: ['tag'] } }], script });
    await world.run();

    expect(reported).toMatchObject([{ reason: 'invalid_arguments' }]);
    expect((await reviews(world)).items).toEqual([]);
  });
});

function cautious() {
  const { implementation } = release;
  if (implementation.type !== 'command') throw new Error('a command skill has a command');
  return { ...implementation, command: { ...implementation.command, permission: 'cautious' as const } };
}
