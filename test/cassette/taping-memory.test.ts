import { describe, expect, it } from 'vitest';
import type { MemorySettings } from '../../src/domain/memory-settings.js';
import type { ModelProvider } from '../../src/domain/ports/model.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import { EMBEDDING_MODEL } from '../../src/domain/snapshot.js';
import { reconcileMemory } from '../../src/govern/memory/reconcile.js';
import { over } from '../support/over.js';
import { agent, type Script, type WorldOptions } from '../support/run-world.js';
import { sameAgain } from './same-again.js';
import { record, replay } from './taped-world.js';

const ON: MemorySettings = {
  enabled: true,
  maxResults: 5,
  similarityThreshold: 0.1,
  searchScope: 'both',
  minOutputLength: 10,
};
const FOUND = {
  subject: 'billing',
  attribute: 'currency',
  value: 'invoices are in euro',
  type: 'semantic',
  confidence: 0.7,
  relation: null,
};
const isExtraction = (turn: Parameters<Script>[0]): boolean =>
  JSON.stringify(turn.request.messages).includes('keep the memory');
const script: Script = (turn) =>
  isExtraction(turn) ? JSON.stringify({ memories: [FOUND] }) : 'The task is done, and it was a long one.';
const options = (over: Partial<WorldOptions> = {}): WorldOptions => ({
  root: agent('root'),
  script,
  snapshot: { memory: ON },
  ...over,
});

/** The store of a run that knows something already. */
const knowing =
  (value: string): NonNullable<WorldOptions['wrap']> =>
  (stores) => {
    const reported = stores.memory.write({
      origin: 'automatic',
      owner: 'tester',
      session: null,
      jobId: null,
      writeId: 'before',
      decide: reconcileMemory,
      candidates: [
        {
          subject: 'the task',
          attribute: 'day',
          value,
          type: 'semantic',
          confidence: 1,
          source: 'root',
          relation: null,
        },
      ],
    });
    return {
      ...stores,
      memory: over(stores.memory, { find: async (...asked) => reported.then(() => stores.memory.find(...asked)) }),
    };
  };

/** A store whose memory nobody may touch. */
const untouched = (stores: Stores): Stores => ({
  ...stores,
  memory: new Proxy(stores.memory, {
    get: (_, method) => () => {
      throw new Error(`a replay must not ${String(method)} a memory`);
    },
  }),
});

describe('memory in a cassette', () => {
  it('is read and written as it was, also where it holds nothing now', async () => {
    const recorded = await record(options({ wrap: knowing('the task is done on Fridays') }));
    const replayed = await replay(options({ wrap: untouched }), recorded.cassette);

    expect(replayed.job).toMatchObject({ status: 'completed', output: recorded.job.output, usage: recorded.job.usage });
    expect(replayed.events).toEqual(recorded.events);
    expect(JSON.stringify(replayed.events)).toContain('the task/day');
    expect(recorded.cassette.answers.map(({ kind, key }) => [kind, key])).toEqual([
      ['recall', 'root/d0/m'],
      ['model', 'root/d0/t0'],
      ['recall', 'memory/t0'],
      ['model', 'memory/t0'],
      ['remember', 'memory/w'],
    ]);
  });

  it('that knew nothing is an answer too, and one that the file lacks is replay.miss', async () => {
    const { cassette } = await sameAgain(options());
    const without = { ...cassette, answers: cassette.answers.filter(({ kind }) => kind !== 'recall') };

    const { job } = await replay(options(), without);

    expect(job).toMatchObject({
      status: 'failed',
      reason: 'replay.miss',
      error: expect.stringContaining('it holds no look into memory at all'),
    });
  });

  it('that a provider compares is compared by the same vectors, and by the same failure', async () => {
    const model = { provider: 'fake', model: 'fake-1', toolProvider: 'fake', toolModel: 'fake-1' };
    const memory = { ...ON, embedding: { provider: 'fake', model: 'e1' } };
    const usage = { inputTokens: 3, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0, costUsd: null };
    const embeds: readonly NonNullable<ModelProvider['embed']>[] = [
      async ({ texts }) => ({
        ok: true,
        response: { vectors: texts.map((_, index) => Float32Array.of(1, index / 3)), usage },
      }),
      async () => ({ ok: false, failure: { kind: 'overloaded', message: 'later', status: 503, retryAfterMs: null } }),
    ];
    for (const embed of embeds) {
      const snapshot = { memory, models: { root: model, [EMBEDDING_MODEL]: { ...model, model: 'e1' } } };
      const recorded = await record(
        options({
          snapshot,
          wrap: knowing('the task is done on Fridays'),
          facilities: (base) => ({
            provider: async (binding, key) => ({ ...(await base.provider(binding, key)), embed }),
          }),
        }),
      );
      const replayed = await replay(options({ snapshot, wrap: untouched }), recorded.cassette);

      expect(recorded.cassette.answers.map(({ kind }) => kind)).toContain('embedding');
      expect(replayed.events).toEqual(recorded.events);
      expect(replayed.job).toMatchObject({ status: 'completed', usage: recorded.job.usage });
    }
  });

  it('of a file of the first format is empty', async () => {
    const { cassette } = await record(options({ snapshot: {} }));
    const { owner: _, ...header } = cassette.header;

    const { job } = await replay(options({ script: () => '' }), { ...cassette, header: { ...header, format: 1 } });

    // Nothing is recalled; the one call that looks for memories is not part of such a file, and
    // nothing of it ends a run.
    expect(job).toMatchObject({ status: 'completed', output: 'The task is done, and it was a long one.' });
  });

  it('holds no secret that the run knows, neither in the file nor in the store', async () => {
    const SECRET = 'planted-secret-c4d1';
    const { text, job } = await record(
      options({
        script: (turn) =>
          isExtraction(turn)
            ? JSON.stringify({ memories: [{ ...FOUND, value: `the key is ${SECRET}` }] })
            : `long enough ${SECRET}`,
        mask: (value) => JSON.parse(JSON.stringify(value).replaceAll(SECRET, '[MASKED]')),
      }),
    );

    expect(job).toMatchObject({ status: 'completed' });
    expect(text).toContain('the key is [MASKED]');
    expect(text).not.toContain(SECRET);
  });
});
