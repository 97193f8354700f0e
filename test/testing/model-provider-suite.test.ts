import { describe, expect, it } from 'vitest';
import {
  defineModelProvider,
  type ModelCallOptions,
  type ModelFailure,
  type ModelProvider,
  type ModelRequest,
  type ModelResult,
  type PluginContext,
} from '../../src/sdk/plugin.js';
import { type ModelProviderFixtures, modelProviderConformance } from '../../src/sdk/testing.js';
import { DEADLINE_MS, runCases } from './run-cases.js';

const fixtures: ModelProviderFixtures = { model: 'm', answer: { body: '{"text":"hi","tokens":3}' } };

const failure = (kind: ModelFailure['kind'], message: string): ModelResult => ({
  ok: false,
  failure: { kind, message, status: null, retryAfterMs: null },
});

const USAGE = { inputTokens: 3, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, costUsd: null };

async function read(response: Response): Promise<ModelResult> {
  if (response.status === 401 || response.status === 403) return failure('auth', 'the key was refused');
  if (response.status === 429) return failure('rate_limited', 'too many requests');
  if (!response.ok) return failure('server', `status ${response.status}`);
  const { text } = JSON.parse(await response.text());
  return { ok: true, response: { parts: [{ type: 'text', text }], finish: 'stop', usage: USAGE, model: 'm' } };
}

const send = (plugin: PluginContext, request: ModelRequest, options: Partial<ModelCallOptions>): Promise<Response> =>
  plugin.fetch('http://model.invalid/', {
    method: 'POST',
    headers: { authorization: `Bearer ${plugin.secrets.env('KEY')}` },
    body: JSON.stringify(request),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });

const good =
  (plugin: PluginContext): ModelProvider['generate'] =>
  async (request, options) => {
    try {
      return await read(await send(plugin, request, options));
    } catch (error) {
      if (options.signal.aborted) return failure('timeout', 'stopped');
      return error instanceof SyntaxError ? failure('malformed', 'no JSON') : failure('network', 'no answer');
    }
  };

type Make = (plugin: PluginContext) => Partial<ModelProvider & { dispose(): Promise<void> }>;

const define = (make: Make) =>
  defineModelProvider({
    create: (_config, plugin) => ({ generate: good(plugin), price: () => null, ...make(plugin) }),
  });

const NAMES = {
  tag: 'is stamped by the define function of its point',
  quiet: 'is created without touching the network or starting a process',
  fresh: 'gives a new instance each time it is created',
  config: 'leaves its configuration as it was given',
  dispose: 'can be disposed twice',
  shape: 'answers with a result of the known shape',
  network: 'answers with a failure when its server cannot be reached',
  auth: 'answers with a failure when its server refuses the key',
  rate: 'answers with a failure when its server has had too many requests',
  broken: 'answers with a failure when its server is broken',
  other: 'answers with a failure when its server answers with something else',
  before: 'answers with the failure timeout when it was stopped before',
  during: 'answers with the failure timeout when it is stopped while its server is silent',
  secret: 'shows no secret in a failure, although its server repeats what it was sent',
  price: 'prices the same usage alike, at once and without the network',
} as const;

/** Changes what the good provider answers. */
const changed = (change: (result: ModelResult) => ModelResult) =>
  define((plugin) => ({ generate: async (request, options) => change(await good(plugin)(request, options)) }));

const answered = (more: object) =>
  changed((result) => (result.ok ? ({ ok: true, response: { ...result.response, ...more } } as ModelResult) : result));

let count = 0;
const shared: ModelProvider = { generate: async () => failure('network', 'x'), price: () => null };

const MUTANTS = [
  { name: 'has the tag of a later version', made: { ...define(() => ({})), version: 2 as never }, caught: [NAMES.tag] },
  {
    name: 'asks for its models when it is created',
    made: defineModelProvider({
      create: async (_config, plugin) => {
        await plugin.fetch('http://model.invalid/models').catch(() => undefined);
        return { generate: good(plugin), price: () => null };
      },
    }),
    caught: [NAMES.quiet],
  },
  { name: 'is one for all configurations', made: defineModelProvider({ create: () => shared }), caught: [NAMES.fresh] },
  {
    name: 'takes the key out of its configuration',
    made: defineModelProvider({
      create: (config, plugin) => {
        delete (config as { key?: unknown }).key;
        Object.assign(config, { base: 'x' });
        return { generate: good(plugin), price: () => null };
      },
    }),
    caught: [NAMES.config],
  },
  {
    name: 'never comes back from dispose',
    made: define(() => ({ dispose: () => new Promise<void>(() => {}) })),
    caught: [NAMES.dispose],
  },
  { name: 'answers with an unknown finish', made: answered({ finish: 'done' }), caught: [NAMES.shape] },
  {
    name: 'answers with a thought',
    made: answered({ parts: [{ type: 'thought', text: 'x' }] }),
    caught: [NAMES.shape],
  },
  { name: 'answers without counts', made: answered({ usage: {} }), caught: [NAMES.shape] },
  {
    name: 'throws what the network throws',
    made: define((plugin) => ({ generate: async (request, options) => read(await send(plugin, request, options)) })),
    caught: [NAMES.network, NAMES.other, NAMES.during],
  },
  {
    name: 'reads a refusal as an answer',
    made: define((plugin) => ({
      generate: async (request, options) => {
        try {
          const response = await send(plugin, request, options);
          const text = await response.text();
          return { ok: true, response: { parts: [{ type: 'text', text }], finish: 'stop', usage: USAGE, model: 'm' } };
        } catch {
          return failure(options.signal.aborted ? 'timeout' : 'network', 'x');
        }
      },
    })),
    caught: [NAMES.auth, NAMES.rate, NAMES.broken, NAMES.other],
  },
  {
    name: 'does not hand on the signal',
    made: define((plugin) => ({
      generate: (request, options) => send(plugin, request, {}).then(read, () => failure('network', options.stepId)),
    })),
    caught: [NAMES.during],
  },
  {
    name: 'calls a stop a network failure',
    made: changed((result) => (result.ok ? result : failure('network', 'x'))),
    caught: [NAMES.before, NAMES.during],
  },
  {
    name: 'quotes its server',
    made: define((plugin) => ({
      generate: async (request, options) => {
        const response = await send(plugin, request, options).catch((error: unknown) => error as Error);
        return response instanceof Error
          ? failure('network', response.message)
          : failure('server', await response.text());
      },
    })),
    caught: [NAMES.secret],
  },
  {
    name: 'logs its headers',
    made: define((plugin) => ({
      generate: (request, options) => {
        plugin.log.debug('asking', { headers: { authorization: `Bearer ${plugin.secrets.env('KEY')}` } });
        return good(plugin)(request, options);
      },
    })),
    caught: [NAMES.secret],
  },
  { name: 'prices by the clock', made: define(() => ({ price: () => count++ })), caught: [NAMES.price] },
  { name: 'promises a price', made: define(() => ({ price: async () => 0 }) as never), caught: [NAMES.price] },
  {
    name: 'makes up a price for what nobody reported',
    made: define(() => ({ price: () => 0.1 })),
    caught: [NAMES.price],
  },
  { name: 'has no number for a price', made: define(() => ({ price: () => Number.NaN })), caught: [NAMES.price] },
];

describe('the suite of model providers', () => {
  it('holds for one that keeps the contract, and exercises every case', async () => {
    const made = define(() => ({ dispose: async () => {} }));

    expect(await runCases(modelProviderConformance(made, fixtures))).toEqual({ failed: {}, notExercised: [] });
  });

  it('says that nothing was checked of the answers of a server that it was not told of', async () => {
    const { failed, notExercised } = await runCases(
      modelProviderConformance(
        define(() => ({})),
        {},
      ),
    );

    expect(failed).toEqual({});
    expect(notExercised).toEqual([NAMES.dispose, NAMES.shape]);
  });

  it.each(MUTANTS)('catches one that $name', async ({ made, caught }) => {
    const { failed } = await runCases(modelProviderConformance(made, { ...fixtures, deadlineMs: DEADLINE_MS }));

    expect(Object.keys(failed)).toEqual(expect.arrayContaining([...caught]));
  });

  it('has a mutant for every case', () => {
    const cases = modelProviderConformance(define(() => ({}))).map(({ name }) => name);

    expect([...new Set(MUTANTS.flatMap(({ caught }) => caught))].sort()).toEqual([...cases].sort());
  });
});
