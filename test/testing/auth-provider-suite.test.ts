import { describe, expect, it } from 'vitest';
import {
  type AuthProvider,
  type AuthVerdict,
  type Caller,
  defineAuthProvider,
  KitError,
  type PluginContext,
} from '../../src/sdk/plugin.js';
import { type AuthProviderFixtures, authProviderConformance } from '../../src/sdk/testing.js';
import { DEADLINE_MS, runCases } from './run-cases.js';

const TOKEN = 'the-token-of-alice-in-this-test';
const URL_OF = 'https://tokens.invalid/who';
const fixtures: AuthProviderFixtures = {
  accepted: { authorization: `Bearer ${TOKEN}`, clientId: 'alice' },
  answers: { [URL_OF]: { body: '{"who":"alice"}', otherwise: '{}' } },
};

type Authenticate = AuthProvider['authenticate'];

const refused = (detail: string): AuthVerdict => ({ kind: 'refused', detail, error: 'invalid_token' });
const caller = (over: Partial<Caller> = {}): AuthVerdict => ({
  kind: 'caller',
  caller: {
    clientId: 'alice',
    clientName: 'Alice',
    provider: 'test',
    scopes: ['serve:read'],
    assurance: 'authenticated',
    ...over,
  },
});

async function asked(plugin: PluginContext, token: string, signal: AbortSignal | null): Promise<string | null> {
  const response = await plugin.fetch(URL_OF, { method: 'POST', body: token, signal });
  const { who } = JSON.parse(await response.text());
  return who ?? null;
}

/** Asks a server who has the token, for five seconds of the clock. */
const good =
  (plugin: PluginContext): Authenticate =>
  async ({ authorization }) => {
    const token = /^Bearer ([\x21-\x7e]{1,200})$/.exec(authorization ?? '')?.[1];
    if (token === undefined) return refused('the header holds no token');
    const over = new AbortController();
    const signal = AbortSignal.any([plugin.signal, over.signal]);
    plugin.clock.sleep(5_000, signal).then(
      () => over.abort(),
      () => undefined,
    );
    const who = await asked(plugin, token, signal)
      .catch(() => Promise.reject(new KitError('KIT_NOT_READY', 'the server does not answer')))
      .finally(() => over.abort());
    return who === null ? refused('nobody has this token') : caller();
  };

const define = (make: (plugin: PluginContext) => Partial<AuthProvider & { dispose(): Promise<void> }>) =>
  defineAuthProvider({
    create: (_config, plugin) => ({
      authenticate: good(plugin),
      info: () => ({ mode: 'test' }),
      warnings: [],
      identities: null,
      ...make(plugin),
    }),
  });

const NAMES = {
  tag: 'is stamped by the define function of its point',
  quiet: 'is created without touching the network or starting a process',
  fresh: 'gives a new instance each time it is created',
  config: 'leaves its configuration as it was given',
  dispose: 'can be disposed twice',
  names: 'names the caller of a credential that holds',
  scopes: 'gives no caller a scope that only people may have',
  garbage: 'answers every malformed header with a refusal and never throws',
  repeats: 'repeats nothing of a credential in a refusal or its log',
  info: 'says what it is without a secret',
  broken: 'lets nobody in while its server is broken',
  silent: 'gives up in the end when its server is silent',
  during: 'ends soon when the host is disposed while its server is silent',
} as const;

const shared: AuthProvider = {
  authenticate: async () => refused('no'),
  info: () => ({ mode: 'test' }),
  warnings: [],
  identities: null,
};

const MUTANTS = [
  { name: 'is not stamped', made: { create: () => shared } as never, caught: [NAMES.tag] },
  {
    name: 'asks for its keys when it is created',
    made: defineAuthProvider({
      create: async (_config, plugin) => {
        await plugin.fetch(URL_OF).catch(() => undefined);
        return { ...shared, authenticate: good(plugin) };
      },
    }),
    caught: [NAMES.quiet],
  },
  { name: 'is one for all', made: defineAuthProvider({ create: () => shared }), caught: [NAMES.fresh] },
  {
    name: 'notes the time in its configuration',
    made: defineAuthProvider({
      create: (config, plugin) => {
        Object.assign(config, { at: plugin.clock.now() });
        return { ...shared };
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
    name: 'names somebody else',
    made: define(() => ({ authenticate: async () => caller({ clientId: 'bob' }) })),
    caught: [NAMES.names, NAMES.garbage],
  },
  {
    name: 'names nobody',
    made: define(() => ({ authenticate: async () => caller({ clientId: '' }) })),
    caught: [NAMES.names],
  },
  {
    name: 'hands on every scope',
    made: define((plugin) => ({
      authenticate: async (credentials) => {
        const verdict = await good(plugin)(credentials);
        return verdict.kind === 'caller' ? caller({ scopes: ['serve:read', 'approvals:resolve'] }) : verdict;
      },
    })),
    caught: [NAMES.scopes],
  },
  {
    name: 'gives the wildcard to whoever proved something',
    made: define(() => ({ authenticate: async () => caller({ scopes: ['*'] }) })),
    caught: [NAMES.scopes],
  },
  {
    name: 'throws for a header that it does not know',
    made: define((plugin) => ({
      authenticate: async (credentials) => {
        if (credentials.authorization?.startsWith('Basic') === true) throw new Error('what is this?');
        return good(plugin)(credentials);
      },
    })),
    caught: [NAMES.garbage],
  },
  {
    name: 'believes a token that nobody signed',
    made: define((plugin) => ({
      authenticate: async (credentials) =>
        credentials.authorization?.endsWith('.') === true ? caller() : good(plugin)(credentials),
    })),
    caught: [NAMES.garbage],
  },
  {
    name: 'quotes the header',
    made: define(() => ({ authenticate: async ({ authorization }) => refused(`${authorization} is not known`) })),
    caught: [NAMES.repeats],
  },
  {
    name: 'logs the token',
    made: define((plugin) => ({
      authenticate: async (credentials) => {
        plugin.log.warn('a call', { ...credentials });
        return good(plugin)(credentials);
      },
    })),
    caught: [NAMES.repeats, NAMES.info],
  },
  { name: 'has no mode', made: define(() => ({ info: () => ({ mode: '' }) })), caught: [NAMES.info] },
  {
    name: 'lets everybody in while its server is away',
    made: define((plugin) => ({ authenticate: (credentials) => good(plugin)(credentials).catch(() => caller()) })),
    caught: [NAMES.broken, NAMES.silent, NAMES.during],
  },
  {
    name: 'waits for ever',
    made: define((plugin) => ({
      authenticate: async ({ authorization }) =>
        (await asked(plugin, authorization ?? '', plugin.signal)) === null ? refused('no') : caller(),
    })),
    caught: [NAMES.silent],
  },
  {
    name: 'does not hear that the host is gone',
    made: define((plugin) => ({
      authenticate: async ({ authorization }) =>
        (await asked(plugin, authorization ?? '', null)) === null ? refused('no') : caller(),
    })),
    caught: [NAMES.during],
  },
];

describe('the suite of auth providers', () => {
  it('holds for one that keeps the contract, and exercises every case', async () => {
    const made = define(() => ({ dispose: async () => {} }));

    expect(await runCases(authProviderConformance(made, fixtures))).toEqual({ failed: {}, notExercised: [] });
  });

  it('lets a provider open the server to this machine alone', async () => {
    const made = define(() => ({
      authenticate: async () => caller({ scopes: ['*'], assurance: 'asserted' }),
      dispose: async () => {},
    }));

    expect(
      (
        await runCases(
          authProviderConformance(made, { accepted: { authorization: 'Bearer x-y-z', clientId: 'alice' } }),
        )
      ).failed,
    ).toEqual({});
  });

  it.each(MUTANTS)('catches one that $name', async ({ made, caught }) => {
    const { failed } = await runCases(authProviderConformance(made, { ...fixtures, deadlineMs: DEADLINE_MS }));

    expect(Object.keys(failed)).toEqual(expect.arrayContaining([...caught]));
  });

  it('has a mutant for every case', () => {
    const cases = authProviderConformance(define(() => ({}))).map(({ name }) => name);

    expect([...new Set(MUTANTS.flatMap(({ caught }) => caught))].sort()).toEqual([...cases].sort());
  });
});
