import { describe, expect, it } from 'vitest';
import {
  type Decision,
  defineGovernanceProvider,
  type GovernanceProvider,
  type PluginContext,
} from '../../src/sdk/plugin.js';
import { type GovernanceFixtures, governanceConformance } from '../../src/sdk/testing.js';
import { DEADLINE_MS, runCases } from './run-cases.js';

const fixtures: GovernanceFixtures = {};
type Evaluate = GovernanceProvider['evaluate'];

const deny = (reason: string): Decision => ({ verdict: 'deny', reason, needs: [] });

const send = (plugin: PluginContext, body: unknown, signal: AbortSignal | null): Promise<Response> =>
  plugin.fetch('http://policy.invalid/', {
    method: 'POST',
    headers: { 'x-key': plugin.secrets.env('KEY') ?? '' },
    body: JSON.stringify(body),
    signal,
  });

const good =
  (plugin: PluginContext): Evaluate =>
  async (request, signal) => {
    const response = await send(plugin, request, signal).catch(() => null);
    if (response?.ok !== true) return deny('the policy server does not answer');
    const answer: unknown = await response.json().catch(() => null);
    return typeof answer === 'object' && answer !== null && 'allow' in answer && answer.allow === true
      ? { verdict: 'allow' }
      : deny('refused');
  };

const define = (make: (plugin: PluginContext) => Partial<GovernanceProvider & { dispose(): Promise<void> }>) =>
  defineGovernanceProvider({ create: (_config, plugin) => ({ evaluate: good(plugin), ...make(plugin) }) });

const NAMES = {
  tag: 'is stamped by the define function of its point',
  quiet: 'is created without touching the network or starting a process',
  fresh: 'gives a new instance each time it is created',
  config: 'leaves its configuration as it was given',
  dispose: 'can be disposed twice',
  verdict: 'decides on every action with a verdict that kit knows, and a reason',
  unreachable: 'allows nothing while its server cannot be reached',
  failing: 'allows nothing while its server fails',
  unreadable: 'allows nothing on an answer that it cannot read',
  stopped: 'allows nothing when it is stopped while its server is silent',
  before: 'ends soon when it was stopped before',
  secret: 'shows no secret in a reason, an error or its log',
} as const;

const shared: GovernanceProvider = { evaluate: async () => deny('x') };

const MUTANTS = [
  {
    name: 'is a bare object',
    made: { $$type: 'governance', version: 1, create: () => shared } as never,
    caught: [NAMES.tag],
  },
  {
    name: 'loads its policy when it is created',
    made: defineGovernanceProvider({
      create: async (_config, plugin) => {
        await plugin.fetch('http://policy.invalid/bundle').catch(() => undefined);
        return { evaluate: good(plugin) };
      },
    }),
    caught: [NAMES.quiet],
  },
  { name: 'is one for all', made: defineGovernanceProvider({ create: () => shared }), caught: [NAMES.fresh] },
  {
    name: 'writes into its configuration',
    made: defineGovernanceProvider({
      create: (config) => ({ evaluate: async () => deny(Object.assign(config, { x: 'x' }).x) }),
    }),
    caught: [NAMES.verdict],
  },
  {
    name: 'sorts its configuration',
    made: defineGovernanceProvider({
      create: (config) => {
        Object.assign(config, { deny: [] });
        return { evaluate: async () => deny('x') };
      },
    }),
    caught: [NAMES.config],
  },
  {
    name: 'fails at its disposal',
    made: define(() => ({
      dispose: async () => {
        throw new Error('no');
      },
    })),
    caught: [NAMES.dispose],
  },
  {
    name: 'has a verdict of its own',
    made: define(() => ({ evaluate: async () => ({ verdict: 'maybe' }) as never })),
    caught: [NAMES.verdict],
  },
  {
    name: 'denies without a reason',
    made: define(() => ({ evaluate: async () => deny('') })),
    caught: [NAMES.verdict],
  },
  {
    name: 'denies without needs',
    made: define(() => ({ evaluate: async () => ({ verdict: 'deny', reason: 'x' }) as never })),
    caught: [NAMES.verdict],
  },
  {
    name: 'throws at an action that it does not know',
    made: define(() => ({
      evaluate: async ({ action }) => {
        if (action === 'contract:unknown') throw new Error('unknown action');
        return deny('x');
      },
    })),
    caught: [NAMES.verdict],
  },
  {
    name: 'allows when nobody answers',
    made: define((plugin) => ({
      evaluate: (request, signal) =>
        send(plugin, request, signal).then(
          () => deny('x'),
          () => ({ verdict: 'allow' as const }),
        ),
    })),
    caught: [NAMES.unreachable, NAMES.stopped],
  },
  {
    name: 'allows whatever is not refused',
    made: define((plugin) => ({
      evaluate: async (request, signal) => {
        const response = await send(plugin, request, signal);
        return (await response.text()).includes('"deny"') ? deny('x') : { verdict: 'allow' };
      },
    })),
    caught: [NAMES.failing, NAMES.unreadable],
  },
  {
    name: 'waits for its server for ever',
    made: define((plugin) => ({ evaluate: (request) => send(plugin, request, null).then(() => deny('x')) })),
    caught: [NAMES.before, NAMES.stopped],
  },
  {
    name: 'quotes what it sent',
    made: define((plugin) => ({
      evaluate: async (request, signal) => {
        const said = await send(plugin, request, signal).then((response) => response.text(), String);
        return deny(said);
      },
    })),
    caught: [NAMES.secret],
  },
  {
    name: 'throws with its key',
    made: define((plugin) => ({
      evaluate: async () => {
        throw new Error(`bad key ${plugin.secrets.env('KEY')}`);
      },
    })),
    caught: [NAMES.secret],
  },
];

describe('the suite of governance providers', () => {
  it('holds for one that keeps the contract, and exercises every case', async () => {
    const made = define(() => ({ dispose: async () => {} }));

    expect(await runCases(governanceConformance(made, fixtures))).toEqual({ failed: {}, notExercised: [] });
  });

  it('decides on the requests that it is given as well', async () => {
    const made = define(() => ({
      evaluate: async ({ action }) => (action === 'mine' ? ({ verdict: 'sure' } as never) : deny('x')),
    }));
    const requests = [{ agentId: 'a', action: 'mine', scopesRequired: [], context: {} }];

    expect((await runCases(governanceConformance(made, fixtures))).failed).toEqual({});
    expect((await runCases(governanceConformance(made, { ...fixtures, requests }))).failed).toEqual({
      [NAMES.verdict]: expect.stringContaining('sure'),
    });
  });

  it.each(MUTANTS)('catches one that $name', async ({ made, caught }) => {
    const { failed } = await runCases(governanceConformance(made, { ...fixtures, deadlineMs: DEADLINE_MS }));

    expect(Object.keys(failed)).toEqual(expect.arrayContaining([...caught]));
  });

  it('has a mutant for every case', () => {
    const cases = governanceConformance(define(() => ({}))).map(({ name }) => name);

    expect([...new Set(MUTANTS.flatMap(({ caught }) => caught))].sort()).toEqual([...cases].sort());
  });
});
