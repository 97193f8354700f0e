import { describe, expect, it, onTestFinished } from 'vitest';
import { NO_FAULTS } from '../../src/domain/faults.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import type { Firing, TriggerContext, TriggerSpec, TriggerType } from '../../src/domain/ports/triggers.js';
import { openPostgresStores } from '../../src/store/postgres/open-postgres-stores.js';
import { TestClock } from '../../src/testing/test-clock.js';
import { startTriggers } from '../../src/worker/trigger-runner.js';
import { openPostgresWorld, placeOf } from '../support/postgres-world.js';
import { createIds } from '../support/store-samples.js';
import { openSqliteWorld, SILENT } from '../support/store-world.js';
import { openTriggerTest } from '../support/triggers/trigger-world.js';

const spec = (id: string, over: Partial<TriggerSpec> = {}): TriggerSpec => ({
  id,
  type: 'manual',
  providerId: null,
  enabled: true,
  targets: [{ kind: 'topology', topology: 'main' }],
  config: {},
  ...over,
});

interface Ran {
  readonly clock: TestClock;
  readonly logged: string[];
  readonly fired: string[];
  readonly contexts: Map<string, TriggerContext>;
}

async function run(
  types: Readonly<Record<string, Partial<TriggerType> | Error>>,
  fire?: (id: string, firing: Firing) => Promise<unknown>,
) {
  const ran: Ran = { clock: new TestClock(), logged: [], fired: [], contexts: new Map() };
  const note = (text: string): void => void ran.logged.push(text);
  const starting = startTriggers(
    {
      clock: ran.clock,
      log: { ...SILENT, error: note, warn: note },
      open: async ({ id }) => {
        const type = types[id];
        if (type instanceof Error) throw type;
        return {
          ready: async () => null,
          start: async (context: TriggerContext) => void ran.contexts.set(id, context),
          ...type,
        };
      },
      fire: async ({ id }, firing) => {
        ran.fired.push(id);
        return fire?.(id, firing);
      },
    },
    { workspaceRoot: '/w', triggers: Object.keys(types).map((id) => spec(id, { enabled: id !== 'off' })) },
  );
  return { ...ran, starting };
}

const FIRING: Firing = { input: 'x', occurrence: null };

describe('the runner of triggers', () => {
  it('starts every enabled trigger with what is its own', async () => {
    const { starting, contexts, fired } = await run({ a: {}, off: {} });
    const runner = await starting;
    expect([...contexts.keys()]).toEqual(['a']);
    expect(contexts.get('a')).toMatchObject({ triggerId: 'a', workspaceRoot: '/w' });
    await contexts.get('a')?.fire(FIRING);
    expect(fired).toEqual(['a']);
    expect(runner.inactive.size).toBe(0);
    await runner.stop();
  });

  it('keeps the others going when one is not ready, cannot be loaded or cannot start', async () => {
    const { starting, contexts, logged } = await run({
      unready: { ready: async () => 'its secret is not set' },
      broken: new Error('no such plugin'),
      failing: { start: async () => Promise.reject(new Error('too many files')) },
      good: {},
    });
    const runner = await starting;
    expect(Object.fromEntries(runner.inactive)).toEqual({
      unready: 'its secret is not set',
      broken: 'no such plugin',
      failing: 'too many files',
    });
    expect([...contexts.keys()]).toEqual(['good']);
    expect(logged).toHaveLength(3);
    await runner.stop();
  });

  it('does not wait for a trigger that takes for ever to start', async () => {
    const { starting, clock, contexts } = await run({ slow: { start: () => new Promise(() => {}) }, good: {} });
    await clock.advance(10_000);
    const runner = await starting;
    expect(runner.inactive.get('slow')).toBe('it is still starting');
    expect([...contexts.keys()]).toEqual(['good']);
    await runner.stop();
    expect(clock.sleeping).toBe(0);
  });

  it('throws nothing into the trigger when a firing fails', async () => {
    const { starting, contexts, logged } = await run({ a: {} }, async () =>
      Promise.reject(new Error('the store is gone')),
    );
    const runner = await starting;
    await expect(contexts.get('a')?.fire(FIRING)).resolves.toBeUndefined();
    expect(logged).toEqual(['trigger a failed to fire: the store is gone']);
    await runner.stop();
  });

  it('fires nothing after it was stopped, and waits for what was being fired', async () => {
    const open = Promise.withResolvers<void>();
    const { starting, contexts, fired } = await run({ a: {} }, () => open.promise);
    const runner = await starting;
    void contexts.get('a')?.fire(FIRING);
    let hasStopped = false;
    const stopping = runner.stop().then(() => (hasStopped = true));
    await contexts.get('a')?.fire(FIRING);
    expect([fired, hasStopped, contexts.get('a')?.signal.aborted]).toEqual([['a'], false, true]);
    open.resolve();
    await stopping;
    await runner.stop();
  });
});

/** Two handles on one store, as two servers have. */
async function twoHandles(backend: 'sqlite' | 'postgres'): Promise<readonly [Stores, Stores]> {
  if (backend === 'sqlite') {
    const first = await openSqliteWorld();
    const second = await openSqliteWorld({ stateDir: first.stateDir });
    onTestFinished(() => first.dispose());
    onTestFinished(() => second.dispose());
    return [first.stores, second.stores];
  }
  const world = await openPostgresWorld();
  const second = await openPostgresStores({
    place: placeOf(world.database.url),
    poolSize: 2,
    maxOverflow: 2,
    ids: createIds(0xfd),
    faults: NO_FAULTS,
    log: SILENT,
  });
  onTestFinished(() => world.dispose());
  onTestFinished(() => second.close());
  return [world.stores, second];
}

describe.each(['sqlite', 'postgres'] as const)('two servers on one store of %s', (backend) => {
  it('fire an occurrence of a cron once between them', async () => {
    const [one, two] = await twoHandles(backend);
    const triggers = { nightly: "type: cron\ntargets: [main]\nconfig: { expression: '*/10 * * * *' }\n" };
    const servers = [
      await openTriggerTest({ triggers, stores: one }),
      await openTriggerTest({ triggers, stores: two }),
    ] as const;
    for (const { app } of servers) await app.start({ workspace: '/workspace' });
    await Promise.all(servers.map(({ clock }) => clock.advance(3_600_000)));
    for (const { app } of servers) await app.stop();
    const audit = (await servers[0].audit()).map((payload) => (payload as { readonly occurrence: string }).occurrence);
    expect(audit.toSorted()).toEqual(
      ['03:10', '03:20', '03:30', '03:40', '03:50', '04:00'].map((time) => `2026-01-02T${time}:00.000Z`),
    );
    expect(servers[0].submitted.length + servers[1].submitted.length).toBe(6);
  });
});
