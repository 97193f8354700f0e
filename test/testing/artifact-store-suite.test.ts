import { describe, expect, it } from 'vitest';
import { type ArtifactBytes, defineArtifactStore, KitError, type PluginContext } from '../../src/sdk/plugin.js';
import { type ArtifactStoreFixtures, artifactStoreConformance } from '../../src/sdk/testing.js';
import { DEADLINE_MS, runCases } from './run-cases.js';

const fixtures: ArtifactStoreFixtures = { config: { place: 'kit' } };
const failed = (why: string): KitError => new KitError('KIT_ARTIFACT_STORE', why);

const ask = (plugin: PluginContext, sha256: string, init: RequestInit): Promise<Response> =>
  plugin.fetch(`http://store.invalid/${sha256}`, {
    signal: plugin.signal,
    headers: { 'x-token': plugin.secrets.env('STORE_TOKEN') ?? '' },
    ...init,
  });

const good = (plugin: PluginContext): ArtifactBytes => ({
  async put(sha256, bytes) {
    const response = await ask(plugin, sha256, { method: 'PUT', body: Uint8Array.from(bytes) }).catch(() => null);
    if (response?.ok !== true) throw failed('nothing was kept');
  },
  async get(sha256) {
    const response = await ask(plugin, sha256, {}).catch(() => null);
    if (response?.status === 404) return null;
    if (response?.ok !== true) throw failed('nothing is to be had');
    return new Uint8Array(await response.arrayBuffer());
  },
});

const define = (make: (plugin: PluginContext) => Partial<ArtifactBytes & { dispose(): Promise<void> }>) =>
  defineArtifactStore({ create: (_config, plugin) => ({ ...good(plugin), ...make(plugin) }) });

const NAMES = {
  tag: 'is stamped by the define function of its point',
  quiet: 'is created without touching the network or starting a process',
  fresh: 'gives a new instance each time it is created',
  config: 'leaves its configuration as it was given',
  dispose: 'can be disposed twice',
  bytes: 'gives back the bytes that were put, whatever they are',
  once: 'keeps the same bytes once',
  absent: 'answers null for a digest that nobody has put',
  unreachable: 'fails when its server cannot be reached',
  refused: 'fails when its server refuses the key',
  broken: 'fails when its server is broken',
  during: 'ends soon when the host is disposed while its server is silent',
  before: 'ends soon when the host was disposed before',
  secret: 'shows no secret in an error or its log',
} as const;

const shared: ArtifactBytes = { put: () => Promise.reject(failed('no')), get: () => Promise.reject(failed('no')) };

const MUTANTS = [
  { name: 'is not stamped', made: { create: () => shared } as never, caught: [NAMES.tag] },
  {
    name: 'looks for its place when it is created',
    made: defineArtifactStore({
      create: async (_config, plugin) => {
        await ask(plugin, '', {}).catch(() => undefined);
        return good(plugin);
      },
    }),
    caught: [NAMES.quiet],
  },
  { name: 'is one for all', made: defineArtifactStore({ create: () => shared }), caught: [NAMES.fresh] },
  {
    name: 'notes something in its configuration',
    made: defineArtifactStore({
      create: (config, plugin) => {
        Object.assign(config, { at: plugin.clock.now() });
        return shared;
      },
    }),
    caught: [NAMES.config],
  },
  {
    name: 'cannot be disposed after the host gave up',
    made: define((plugin) => ({ dispose: async () => plugin.signal.throwIfAborted() })),
    caught: [NAMES.dispose],
  },
  {
    name: 'takes bytes for text',
    made: define((plugin) => ({
      put: async (sha256, bytes) =>
        void (await ask(plugin, sha256, { method: 'PUT', body: new TextDecoder().decode(bytes) })),
    })),
    caught: [NAMES.bytes],
  },
  {
    name: 'adds to what is there',
    made: define((plugin) => ({
      put: async (sha256, bytes) => {
        const before = (await good(plugin).get(sha256)) ?? new Uint8Array();
        await good(plugin).put(sha256, Uint8Array.from([...before, ...bytes]));
      },
    })),
    caught: [NAMES.once],
  },
  {
    name: 'gives no bytes where there is nothing',
    made: define((plugin) => ({ get: async (sha256) => (await good(plugin).get(sha256)) ?? new Uint8Array() })),
    caught: [NAMES.absent],
  },
  {
    name: 'takes a server that is away for an empty one',
    made: define((plugin) => ({
      get: (sha256) =>
        good(plugin)
          .get(sha256)
          .catch(() => null),
    })),
    caught: [NAMES.unreachable, NAMES.refused, NAMES.broken],
  },
  {
    name: 'does not look at the answer',
    made: define((plugin) => ({
      put: async (sha256, bytes) => void (await ask(plugin, sha256, { method: 'PUT', body: Uint8Array.from(bytes) })),
    })),
    caught: [NAMES.refused, NAMES.broken],
  },
  {
    name: 'fails with an error that says nothing to do',
    made: define((plugin) => ({
      get: (sha256) =>
        good(plugin)
          .get(sha256)
          .catch(() => Promise.reject(new Error('no'))),
    })),
    caught: [NAMES.unreachable],
  },
  {
    name: 'does not hear that the host is gone',
    made: define((plugin) => ({
      get: async (sha256) => new Uint8Array(await (await ask(plugin, sha256, { signal: null })).arrayBuffer()),
    })),
    caught: [NAMES.during, NAMES.before],
  },
  {
    name: 'quotes what the server says',
    made: define((plugin) => ({
      get: async (sha256) => {
        throw failed(await (await ask(plugin, sha256, {})).text());
      },
    })),
    caught: [NAMES.secret],
  },
];

describe('the suite of artifact stores', () => {
  it('holds for one that keeps the contract, and exercises every case', async () => {
    const made = define(() => ({ dispose: async () => {} }));

    expect(await runCases(artifactStoreConformance(made, fixtures))).toEqual({ failed: {}, notExercised: [] });
  });

  it('says what it could not exercise of one whose server speaks otherwise', async () => {
    const made = define(() => ({ dispose: async () => {} }));

    const { failed: wrong, notExercised } = await runCases(
      artifactStoreConformance(made, { ...fixtures, plainHttp: false }),
    );

    expect(wrong).toEqual({});
    expect(notExercised).toEqual([NAMES.bytes, NAMES.once, NAMES.absent]);
  });

  it('has nothing against one that keeps bytes without a network', async () => {
    const kept = () => {
      const map = new Map<string, Uint8Array>();
      return {
        put: async (sha256: string, bytes: Uint8Array) => void map.set(sha256, bytes),
        get: async (sha256: string) => map.get(sha256) ?? null,
      };
    };

    expect((await runCases(artifactStoreConformance(defineArtifactStore({ create: kept })))).failed).toEqual({});
  });

  it.each(MUTANTS)('catches one that $name', async ({ made, caught }) => {
    const { failed: wrong } = await runCases(artifactStoreConformance(made, { ...fixtures, deadlineMs: DEADLINE_MS }));

    expect(Object.keys(wrong)).toEqual(expect.arrayContaining([...caught]));
  });

  it('has a mutant for every case', () => {
    const cases = artifactStoreConformance(define(() => ({}))).map(({ name }) => name);

    expect([...new Set(MUTANTS.flatMap(({ caught }) => caught))].sort()).toEqual([...cases].sort());
  });
});
