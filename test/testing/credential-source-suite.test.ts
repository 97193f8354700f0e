import { describe, expect, it } from 'vitest';
import { type CredentialSource, defineCredentialSource, type PluginContext } from '../../src/sdk/plugin.js';
import { type CredentialSourceFixtures, credentialSourceConformance } from '../../src/sdk/testing.js';
import { DEADLINE_MS, runCases } from './run-cases.js';

const fixtures: CredentialSourceFixtures = { known: { name: 'team' }, answer: { body: '{"value":"the-team-secret"}' } };
type Resolve = CredentialSource['resolve'];

const send = (plugin: PluginContext, name: string, signal: AbortSignal | null): Promise<Response> =>
  plugin.fetch(`http://vault.invalid/${name}`, {
    headers: { 'x-token': plugin.secrets.env('VAULT_TOKEN') ?? '' },
    signal,
  });

const good =
  (plugin: PluginContext): Resolve =>
  async (name) => {
    const response = await send(plugin, name, plugin.signal).catch(() => null);
    if (response === null) throw new Error(`the vault does not answer for ${name}`);
    if (!response.ok) throw new Error(`the vault has no ${name}`);
    const { value } = JSON.parse(await response.text());
    return value;
  };

const define = (make: (plugin: PluginContext) => Partial<CredentialSource & { dispose(): Promise<void> }>) =>
  defineCredentialSource({ create: (_config, plugin) => ({ resolve: good(plugin), ...make(plugin) }) });

const NAMES = {
  tag: 'is stamped by the define function of its point',
  quiet: 'is created without touching the network or starting a process',
  fresh: 'gives a new instance each time it is created',
  config: 'leaves its configuration as it was given',
  dispose: 'can be disposed twice',
  known: 'resolves a known name to a text and logs nothing of it',
  missing: 'refuses a name that is not there and says which',
  unreachable: 'fails when its server cannot be reached',
  broken: 'fails when its server is broken',
  during: 'ends soon when the host is disposed while its server is silent',
  before: 'ends soon when the host was disposed before',
  secret: 'shows no secret in an error or its log',
} as const;

const shared: CredentialSource = { resolve: () => Promise.reject(new Error('no')) };

const MUTANTS = [
  { name: 'is not stamped', made: { create: () => shared } as never, caught: [NAMES.tag] },
  {
    name: 'logs in when it is created',
    made: defineCredentialSource({
      create: async (_config, plugin) => {
        await send(plugin, 'login', null).catch(() => undefined);
        return { resolve: good(plugin) };
      },
    }),
    caught: [NAMES.quiet],
  },
  { name: 'is one for all', made: defineCredentialSource({ create: () => shared }), caught: [NAMES.fresh] },
  {
    name: 'notes the time in its configuration',
    made: defineCredentialSource({
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
    name: 'gives an empty text',
    made: define(() => ({ resolve: async () => '' })),
    caught: [NAMES.known, NAMES.missing],
  },
  {
    name: 'logs what it found',
    made: define((plugin) => ({
      resolve: async (name, config) => {
        const value = await good(plugin)(name, config);
        plugin.log.info('resolved', { name, value });
        return value;
      },
    })),
    caught: [NAMES.known],
  },
  {
    name: 'gives the page that says that there is nothing',
    made: define((plugin) => ({ resolve: async (name) => (await send(plugin, name, plugin.signal)).text() })),
    caught: [NAMES.missing, NAMES.broken],
  },
  {
    name: 'does not say which name is missing',
    made: define(() => ({ resolve: () => Promise.reject(new Error('not found')) })),
    caught: [NAMES.missing],
  },
  {
    name: 'gives the name itself when the vault is away',
    made: define((plugin) => ({ resolve: (name, config) => good(plugin)(name, config).catch(() => name) })),
    caught: [NAMES.missing, NAMES.unreachable, NAMES.broken],
  },
  {
    name: 'does not hear that the host is gone',
    made: define((plugin) => ({ resolve: async (name) => (await send(plugin, name, null)).text() })),
    caught: [NAMES.during, NAMES.before],
  },
  {
    name: 'quotes what the vault says',
    made: define((plugin) => ({
      resolve: async (name) => {
        const response = await send(plugin, name, plugin.signal);
        throw new Error(`no ${name}: ${await response.text()}`);
      },
    })),
    caught: [NAMES.secret],
  },
];

describe('the suite of credential sources', () => {
  it('holds for one that keeps the contract, and exercises every case', async () => {
    const made = define(() => ({ dispose: async () => {} }));

    expect(await runCases(credentialSourceConformance(made, fixtures))).toEqual({ failed: {}, notExercised: [] });
  });

  it.each(MUTANTS)('catches one that $name', async ({ made, caught }) => {
    const { failed } = await runCases(credentialSourceConformance(made, { ...fixtures, deadlineMs: DEADLINE_MS }));

    expect(Object.keys(failed)).toEqual(expect.arrayContaining([...caught]));
  });

  it('has a mutant for every case', () => {
    const cases = credentialSourceConformance(define(() => ({}))).map(({ name }) => name);

    expect([...new Set(MUTANTS.flatMap(({ caught }) => caught))].sort()).toEqual([...cases].sort());
  });
});
