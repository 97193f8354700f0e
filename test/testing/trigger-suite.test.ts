import { describe, expect, it } from 'vitest';
import { defineTrigger, type PluginContext, type TriggerContext, type TriggerType } from '../../src/sdk/plugin.js';
import { triggerConformance } from '../../src/sdk/testing.js';
import { DEADLINE_MS, runCases } from './run-cases.js';

const MINUTE_MS = 60_000;

const tick = async ({ clock }: PluginContext, { fire, signal }: TriggerContext): Promise<void> => {
  for (;;) {
    await clock.sleep(MINUTE_MS, signal);
    await fire({ input: 'tick', occurrence: new Date(clock.now()).toISOString() });
  }
};

/** Fires every minute, and is a hook whose sender sends a shared secret. */
const good = (plugin: PluginContext): TriggerType => ({
  ready: async () => null,
  start: async (context) => void tick(plugin, context).catch(() => undefined),
  nextFireAt: async () => new Date(plugin.clock.now() + MINUTE_MS).toISOString(),
  verify: async ({ headers }) => {
    const secret = await plugin.secrets.credential('hook').catch(() => null);
    if (secret === null) return { kind: 'unavailable', detail: 'the secret is not set' };
    return headers.authorization === `Bearer ${secret}`
      ? { kind: 'verified' }
      : { kind: 'refused', detail: 'the secret does not fit' };
  },
});

const define = (make: (plugin: PluginContext) => Partial<TriggerType>) =>
  defineTrigger({ create: (_config, plugin) => ({ ...good(plugin), ...make(plugin) }) });

const NAMES = {
  tag: 'is stamped by the define function of its point',
  quiet: 'is created without touching the network or starting a process',
  fresh: 'gives a new instance each time it is created',
  config: 'leaves its configuration as it was given',
  dispose: 'can be disposed twice',
  ready: 'says whether it can start, and shows no secret in saying so',
  two: 'listens for two triggers at once',
  stop: 'fires nothing and sleeps no more after their signal',
  next: 'gives the next firing as an instant to come',
  unproven: 'refuses deliveries that prove nothing, without a throw or a secret',
  bare: 'verifies nothing when its secrets are not set',
} as const;

const shared: TriggerType = { ready: async () => null };

const MUTANTS = [
  { name: 'is not stamped', made: { create: () => shared } as never, caught: [NAMES.tag] },
  {
    name: 'asks its server when it is created',
    made: defineTrigger({
      create: async (_config, plugin) => {
        await plugin.fetch('http://feed.invalid').catch(() => undefined);
        return good(plugin);
      },
    }),
    caught: [NAMES.quiet],
  },
  { name: 'is one for all', made: defineTrigger({ create: () => shared }), caught: [NAMES.fresh] },
  {
    name: 'notes the time in its configuration',
    made: defineTrigger({
      create: (config, plugin) => {
        Object.assign(config, { at: plugin.clock.now() });
        return good(plugin);
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
    name: 'says nothing about why it is not ready',
    made: define(() => ({ ready: async () => ' ' })),
    caught: [NAMES.ready],
  },
  {
    name: 'shows its secret in saying that it is not ready',
    made: define((plugin) => ({ ready: async () => `${await plugin.secrets.credential('hook')} is too short` })),
    caught: [NAMES.ready],
  },
  {
    name: 'listens for one trigger alone',
    made: define((plugin) => {
      let isTaken = false;
      return {
        start: async (context) => {
          if (isTaken) throw new Error('it listens already');
          isTaken = true;
          await good(plugin).start?.(context);
        },
      };
    }),
    caught: [NAMES.two, NAMES.stop],
  },
  {
    name: 'does not say when it listens',
    made: define((plugin) => ({ start: (context) => tick(plugin, context) })),
    caught: [NAMES.two],
  },
  {
    name: 'does not hear its signal',
    made: define((plugin) => ({
      start: async (context) => void tick(plugin, { ...context, signal: new AbortController().signal }),
    })),
    caught: [NAMES.stop],
  },
  {
    name: 'tells a time that has passed',
    made: define((plugin) => ({ nextFireAt: async () => new Date(plugin.clock.now() - 1).toISOString() })),
    caught: [NAMES.next],
  },
  {
    name: 'tells a time in words',
    made: define(() => ({ nextFireAt: async () => 'January 3, 2099' })),
    caught: [NAMES.next],
  },
  {
    name: 'takes every delivery',
    made: define(() => ({ verify: async () => ({ kind: 'verified' }) })),
    caught: [NAMES.unproven, NAMES.bare],
  },
  {
    name: 'throws at what it cannot read',
    made: define(() => ({ verify: async ({ body }) => JSON.parse(new TextDecoder().decode(body)) })),
    caught: [NAMES.unproven],
  },
  {
    name: 'shows the secret that it expects',
    made: define((plugin) => ({
      verify: async () => ({ kind: 'refused', detail: `it is not ${await plugin.secrets.credential('hook')}` }),
    })),
    caught: [NAMES.unproven],
  },
  {
    name: 'skips the check when the secret is not set',
    made: define((plugin) => ({
      verify: async (delivery) => {
        const secret = await plugin.secrets.credential('hook').catch(() => null);
        return secret === null ? { kind: 'verified' } : (good(plugin).verify?.(delivery) ?? { kind: 'verified' });
      },
    })),
    caught: [NAMES.bare],
  },
];

describe('the suite of trigger types', () => {
  it('holds for a type that keeps the contract, and exercises every case', async () => {
    const made = define(() => ({ dispose: async () => {} }));

    expect(await runCases(triggerConformance(made))).toEqual({ failed: {}, notExercised: [] });
  });

  it.each(MUTANTS)('catches a type that $name', async ({ made, caught }) => {
    const { failed } = await runCases(triggerConformance(made, { deadlineMs: DEADLINE_MS }));

    expect(Object.keys(failed)).toEqual(expect.arrayContaining([...caught]));
  });

  it('has a mutant for every case of a trigger type', () => {
    const cases = triggerConformance(define(() => ({}))).map(({ name }) => name);

    expect([...new Set(MUTANTS.flatMap(({ caught }) => caught))].sort()).toEqual([...cases].sort());
  });
});
