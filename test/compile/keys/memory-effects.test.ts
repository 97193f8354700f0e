import { test } from 'vitest';
import type { MemorySettings } from '../../../src/domain/memory-settings.js';
import { EMBEDDING_MODEL, MEMORY_MODEL } from '../../../src/domain/snapshot.js';
import { reconcileMemory } from '../../../src/govern/memory/reconcile.js';
import { agent, openWorld } from '../../support/run-world.js';
import { openSceneApp } from '../../support/scene/scene-app.js';
import { showsEffect } from '../../support/shows-effect.js';
import { MEMORY_PROOFS, REMEMBERING } from './proofs/memory-proofs.js';

const FAKE = { provider: 'fake', model: 'fake-1', toolProvider: 'fake', toolModel: 'fake-1' };

/**
 * Who makes embeddings and who chooses, as a submit freezes it; the provider of this world makes
 * none, and the event names who was asked.
 */
const modelsOf = ({ embedding, model }: MemorySettings) => {
  const named = Object.entries({ [EMBEDDING_MODEL]: embedding, [MEMORY_MODEL]: model }).flatMap(([role, of]) =>
    of === undefined ? [] : [[role, { ...FAKE, ...of }] as const],
  );
  if (named.length === 0) return {};
  const ids = ['fake', ...named.map(([, { provider }]) => provider)];
  return {
    models: { root: FAKE, ...Object.fromEntries(named) },
    providers: Object.fromEntries(ids.map((id) => [id, { id, contribution: 'test.fake', config: {} }])),
  };
};

/**
 * What a run under these settings is shown, what it asks a model, and what is remembered
 * afterwards.
 */
async function observe(directory: string): Promise<unknown> {
  const app = openSceneApp(directory, { env: { HOME: directory } });
  const { memory } = (await app.session()).workspace;
  await app.close();
  const asked: string[] = [];
  const world = await openWorld({
    root: agent('root'),
    snapshot: { memory, ...modelsOf(memory) },
    script: ({ agent: name, request }) => {
      asked.push(JSON.stringify(request.messages));
      return name === 'root' ? 'x'.repeat(200) : '{"memories": [{"subject": "s", "attribute": "a", "value": "v"}]}';
    },
  });
  try {
    for (const [origin, owner, attribute] of [
      ['automatic', 'tester', 'one'],
      ['automatic', 'tester', 'two'],
      ['person', 'ben', 'three'],
    ] as const) {
      const candidate = {
        subject: 'the task',
        attribute,
        value: 'of the task',
        type: 'semantic',
        confidence: 1,
        source: 'x',
        relation: null,
      } as const;
      const facts = { session: null, jobId: null, writeId: attribute, decide: reconcileMemory };
      await world.stores.memory.write({ origin, owner, ...facts, candidates: [candidate] });
    }
    await world.run();
    const known = await world.stores.memory.list({ owner: 'tester', scope: 'user' }, { type: null, limit: 20 });
    const recalled = (await world.events())
      .filter(({ type }) => type === 'memory.recalled')
      .map(({ payload }) => payload);
    const curators = (await world.events())
      .filter(({ skillId }) => skillId === 'memory-writer')
      .map(({ payload }) => ({ ...(payload as object), duration_ms: 0 }));
    return { recalled, curators, calls: asked.length, known: known.map(({ attribute }) => attribute).sort() };
  } finally {
    await world.close();
  }
}

test.for(MEMORY_PROOFS)('$key changes what a run recalls or remembers', async ({ key, a, b, given }) => {
  await showsEffect(key, a, b, { base: REMEMBERING, observe, ...(given === undefined ? {} : { given }) });
});
