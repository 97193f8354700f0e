import { afterEach, describe, expect, it } from 'vitest';
import type { MemorySettings } from '../../../src/domain/memory-settings.js';
import type { EmbedRequest, EmbedResult, ModelProvider } from '../../../src/domain/ports/model.js';
import { EMBEDDING_MODEL } from '../../../src/domain/snapshot.js';
import { reconcileMemory } from '../../../src/govern/memory/reconcile.js';
import { createClock } from '../../../src/system/clock.js';
import { reduceRun } from '../../../src/view/reduce-run.js';
import { EMPTY_RUN } from '../../../src/view/run-view.js';
import { createModelLimiter } from '../../../src/worker/limiter/model-limiter.js';
import { over } from '../../support/over.js';
import { agent, openWorld, type World, type WorldOptions } from '../../support/run-world.js';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const MODEL = { provider: 'fake', model: 'e1', toolProvider: 'fake', toolModel: 'e1' };
const ON: MemorySettings = {
  enabled: true,
  maxResults: 1,
  similarityThreshold: 0.15,
  searchScope: 'user',
  minOutputLength: 9_000,
  embedding: { provider: 'fake', model: 'e1' },
};
const USAGE = { inputTokens: 11, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0.25 };
/** What is about money is near to what is about money, however it is worded. */
const byMeaning = ({ texts }: EmbedRequest): EmbedResult => ({
  ok: true,
  response: {
    vectors: texts.map((text) => (/invoice|bill/.test(text) ? Float32Array.of(1, 0) : Float32Array.of(0, 1))),
    usage: USAGE,
  },
});

const byMeaningOf: ModelProvider['embed'] = async (request) => byMeaning(request);

describe('memory that is compared by embeddings', () => {
  const worlds: World[] = [];
  afterEach(async () => {
    await Promise.all(worlds.splice(0).map((world) => world.close()));
  });

  async function run(embed: ModelProvider['embed'], over: Partial<WorldOptions> = {}) {
    const asked: EmbedRequest[] = [];
    const reported: string[] = [];
    const warned: string[] = [];
    const models = { root: { ...MODEL, model: 'fake-1', toolModel: 'fake-1' }, [EMBEDDING_MODEL]: MODEL };
    const world = await openWorld({
      root: agent('root'),
      script: ({ request }) => {
        reported.push(JSON.stringify(request.messages));
        return 'done';
      },
      snapshot: { memory: ON, models },
      log: { warn: (message: string) => warned.push(message) },
      facilities: (base) => ({
        provider: async (binding, key) => ({
          ...(await base.provider(binding, key)),
          ...(embed === undefined
            ? {}
            : {
                embed: async (request, options) => {
                  asked.push(request);
                  return embed(request, options);
                },
              }),
        }),
      }),
      ...over,
    });
    worlds.push(world);
    await world.stores.memory.write({
      origin: 'automatic',
      owner: 'tester',
      session: null,
      jobId: null,
      writeId: 'before',
      decide: reconcileMemory,
      candidates: ['the task is the task is the task', 'a bill of the task'].map((value, index) => ({
        subject: 'x',
        attribute: `a${index}`,
        value,
        type: 'semantic',
        confidence: 1,
        source: 'root',
        relation: null,
      })),
    });
    await world.run();
    const recalled = (await world.events())
      .filter(({ type }) => type === 'memory.recalled')
      .map(({ payload }) => payload);
    return { world, asked, told: reported, warned, recalled, row: await world.row() };
  }

  it('finds the meaning and not the wording, in one call whose cost is that of the run, and asks nothing again', async () => {
    const isMoney: ModelProvider['embed'] = async ({ texts, ...request }) =>
      byMeaning({ ...request, texts: ['invoice', ...texts.slice(1)] });
    const { asked, told: reported, recalled, row, world } = await run(isMoney);

    expect(recalled).toEqual([
      { activation: 'root', keys: ['x/a1'], embedding: { provider: 'fake', model: 'e1', reason: null } },
    ]);
    expect(reported[0]).toContain('a bill of the task');
    expect(reported[0]).not.toContain('is the task is');
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ model: 'e1', texts: ['the task', expect.any(String), expect.any(String)] });
    expect(row).toMatchObject({ status: 'completed', usage: { costUsd: expect.closeTo(0.251) } });
    expect(await world.replay()).toMatchObject({ kind: 'completed' });
    expect(asked).toHaveLength(1);
  });

  it('are one request more of the account of their provider, and wait for its limit', async () => {
    const { signal } = new AbortController();
    const limits = { account: 'acme', inFlight: 1, requestsPerMinute: null };
    const clock = createClock();
    const limiter = createModelLimiter({ clock, log: silent, holder: 'me', random: () => 0 });
    const other = await limiter.permit({ limits, signal, longestClosedMs: 0 });
    let asked = 0;
    const wanted = Promise.withResolvers<void>();
    const running = run(undefined, {
      facilities: (base) => ({
        limiter: {
          ...limiter,
          permit: (request) => {
            const permit = limiter.permit(request);
            wanted.resolve();
            return permit;
          },
        },
        provider: async (binding, key) => ({
          ...(await base.provider(binding, key)),
          limits,
          embed: async (request) => {
            asked += 1;
            return byMeaning(request);
          },
        }),
      }),
    });
    await wanted.promise;
    expect(asked).toBe(0);
    if ('end' in other) other.end({ type: 'answered' });

    const { row, recalled } = await running;
    expect([row.status, asked, recalled.length]).toEqual(['completed', 1, 1]);
  });

  it('tells in the log what the call used, so that every view shows the cost of the row', async () => {
    const { row, world } = await run(byMeaningOf);

    const events = await world.events();
    const called = events.flatMap((event) =>
      event.type === 'model.called' && event.payload.purpose === 'embedding' ? [event.payload] : [],
    );
    expect(called).toMatchObject([{ provider: 'fake', model: 'e1', status: 'ok', input_tokens: 11, cost_usd: 0.25 }]);
    const { usage } = events.reduce(reduceRun, EMPTY_RUN);
    expect(usage).toMatchObject({
      inputTokens: row?.usage?.inputTokens,
      knownCostUsd: expect.closeTo(0.251),
      unknownCosts: 0,
    });
  });

  it.each<{ readonly what: string; readonly embed: ModelProvider['embed']; readonly reason: string }>([
    {
      what: 'refuses',
      embed: async () => ({
        ok: false,
        failure: { kind: 'rate_limited', message: 'slow down', status: 429, retryAfterMs: 1 },
      }),
      reason: 'provider.rate_limited',
    },
    {
      what: 'throws',
      embed: async () => {
        throw new Error('a bug');
      },
      reason: 'provider.malformed',
    },
    {
      what: 'gives one too few',
      embed: async ({ texts, ...request }) => byMeaning({ ...request, texts: texts.slice(1) }),
      reason: 'provider.malformed',
    },
    { what: 'makes none', embed: undefined, reason: 'provider.bad_request' },
    { what: 'never answers', embed: () => new Promise(() => undefined), reason: 'provider.timeout' },
  ])(
    'goes by the wording where the provider $what, and says so in the event and the log',
    async ({ embed, reason }) => {
      const { recalled, row, warned, told: reported } = await run(embed, { env: { KIT_MODEL_TIMEOUT: 1 } });

      expect(row).toMatchObject({ status: 'completed' });
      expect(recalled).toEqual([
        { activation: 'root', keys: ['x/a0'], embedding: { provider: 'fake', model: 'e1', reason } },
      ]);
      expect(reported[0]).toContain('is the task is');
      expect(warned).toEqual(['no embeddings for memory: the wording counts']);
    },
  );

  it('asks nobody where no entry shares a word with the task', async () => {
    const { asked, recalled, world } = await run(async (request) => byMeaning(request), {
      root: agent('root'),
      wrap: (stores) => ({
        ...stores,
        memory: over(stores.memory, { find: async () => [] }),
      }),
    });

    expect([asked, recalled]).toEqual([[], []]);
    expect((await world.stores.runs.load(world.job.id)).filter(({ kind }) => kind === 'memory')).toEqual([]);
  });
});
