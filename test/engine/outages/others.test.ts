import { afterEach, describe, expect, it } from 'vitest';
import type { MemorySettings } from '../../../src/domain/memory-settings.js';
import type { ModelFailure, ModelResult } from '../../../src/domain/ports/model.js';
import { EMBEDDING_MODEL } from '../../../src/domain/snapshot.js';
import { reconcileMemory } from '../../../src/govern/memory/reconcile.js';
import { gatedBy, ONE_ROLE } from '../../support/gated.js';
import { quickClock } from '../../support/quick-clock.js';
import { agent, commandSkill, openWorld, type World } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';

const MODEL = { provider: 'fake', model: 'e1', toolProvider: 'fake', toolModel: 'e1' };
const MEMORY: MemorySettings = {
  enabled: true,
  maxResults: 1,
  similarityThreshold: 0.15,
  searchScope: 'user',
  minOutputLength: 9_000,
  embedding: { provider: 'fake', model: 'e1' },
};
const NETWORK: ModelFailure = { kind: 'network', message: 'down', status: null, retryAfterMs: null };
const USAGE = { inputTokens: 1, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0 };

const worlds: World[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

/** An agent of which something is remembered; embeddings are down for their first `down` calls. */
async function remembering(down: number, patienceS: number, script: () => ModelResult | string = () => 'done') {
  let asked = 0;
  const world = await openWorld({
    root: agent('root'),
    script,
    clock: quickClock(500),
    leaseMs: 24 * 3_600_000,
    env: { KIT_OUTAGE_PATIENCE_S: patienceS },
    snapshot: {
      memory: MEMORY,
      models: { root: { ...MODEL, model: 'fake-1', toolModel: 'fake-1' }, [EMBEDDING_MODEL]: MODEL },
    },
    facilities: (base) => ({
      provider: async (binding, key) => ({
        ...(await base.provider(binding, key)),
        embed: async ({ texts }) =>
          asked++ < down
            ? { ok: false, failure: NETWORK }
            : { ok: true, response: { vectors: texts.map(() => Float32Array.of(1)), usage: USAGE } },
      }),
    }),
  });
  worlds.push(world);
  const fact = { subject: 'x', attribute: 'a', value: 'a fact of the task', type: 'semantic', confidence: 1 } as const;
  await world.stores.memory.write({
    ...{ origin: 'automatic', owner: 'tester', session: null, jobId: null, writeId: 'before' },
    decide: reconcileMemory,
    candidates: [{ ...fact, source: 'root', relation: null }],
  });
  const result = await world.run({ rests: true });
  return { world, result, asked: () => asked };
}

describe('a run whose embeddings are down', () => {
  it('waits for them as for any call of a model, and then goes by meaning', async () => {
    const { world, result, asked } = await remembering(2, 900);

    expect(result).toMatchObject({ end: { status: 'completed' } });
    const events = await world.events();
    expect(payloadsOf(events, 'step.waiting')).toMatchObject([
      { key: 'root/d0/m', reason: 'provider.network', tries: 1 },
      { key: 'root/d0/m', reason: 'provider.network', tries: 2 },
    ]);
    expect(payloadsOf(events, 'memory.recalled')).toMatchObject([{ embedding: { reason: null } }]);
    expect(asked()).toBe(3);
  });

  it('goes by the wording once its patience is spent, and has none left for its model', async () => {
    const { world, result } = await remembering(99, 8, () => ({ ok: false, failure: NETWORK }));

    expect(result).toMatchObject({ end: { status: 'failed', reason: 'provider.network' } });
    const events = await world.events();
    expect(payloadsOf(events, 'memory.recalled')).toMatchObject([{ embedding: { reason: 'provider.network' } }]);
    expect(payloadsOf(events, 'step.waiting').map(({ key }) => key)).toEqual(['root/d0/m', 'root/d0/m']);
  });
});

describe('a run whose judge is down', () => {
  const open = lawfulWorlds();

  it('waits for the verdict, and asks the author nothing again', async () => {
    const writer = agent('writer', { role: 'root', funnel: 'sign-off' });
    const asked: string[] = [];
    const world = await open({
      root: writer,
      skills: [
        {
          ...commandSkill('judge', []),
          category: 'decision',
          effects: 'none',
          implementation: { type: 'llm_prompt', prompt: 'You are judge.', model: writer.model },
        },
      ],
      script: ({ agent: id }) => {
        asked.push(id);
        if (id === 'writer') return 'a draft';
        if (asked.length < 3) return { ok: false, failure: NETWORK };
        return JSON.stringify({ verdict: 'pass', confidence: 0.9, reasoning: 'short', flagged_items: [] });
      },
      ...gatedBy(ONE_ROLE, { judge: { skill: 'judge', rubric: 'Short is good.', threshold: 0.8 } }),
      clock: quickClock(500),
      leaseMs: 24 * 3_600_000,
      env: { KIT_OUTAGE_PATIENCE_S: 900 },
    });

    expect(await world.run({ rests: true })).toMatchObject({ kind: 'parked' });

    expect(asked).toEqual(['writer', 'judge', 'judge']);
    const events = await world.events();
    expect(payloadsOf(events, 'step.waiting')).toMatchObject([{ reason: 'provider.network', tries: 1 }]);
    expect(payloadsOf(events, 'funnel.layer_evaluated')).toMatchObject([{ layer: 'judge', passed: true }]);
    expect(payloadsOf(events, 'step.repeated')).toEqual([]);
  });
});
