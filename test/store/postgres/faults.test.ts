import { expect, it } from 'vitest';
import { FAULT_POINTS } from '../../../src/store/fault-points.js';
import { createDatabase } from '../../support/components/postgres.js';
import { openPostgresWorld } from '../../support/postgres-world.js';
import { runCrashScenario } from '../../support/store-crash-scenario.js';
import { messageEvent } from '../../support/store-samples.js';

it('passes every fault point of the table, each write between its two', async () => {
  const hits: string[] = [];
  const world = await openPostgresWorld({ faults: { hit: (name) => hits.push(name) } }, await createDatabase());

  await runCrashScenario({ stores: world.stores, clock: { advance: (ms) => world.elapse(ms) } });
  await world.dispose();

  expect([...new Set(hits)].sort()).toEqual([...FAULT_POINTS].sort());
  const open = new Map<string, number>();
  for (const hit of hits) {
    const [name = '', when] = hit.split(':');
    const before = open.get(name) ?? 0;
    if (when === 'after') expect(before, hit).toBeGreaterThan(0);
    open.set(name, before + (when === 'before' ? 1 : -1));
  }
  expect([...open.values()].filter((count) => count !== 0)).toEqual([]);
});

it('writes nothing of a commit that fails before it is made, and goes on with the next', async () => {
  let isBroken = false;
  const world = await openPostgresWorld({
    faults: {
      hit: (name) => {
        if (isBroken && name === 'event.append:before') throw new Error('no commit');
      },
    },
  });
  const event = (n: number) => messageEvent(`00000000-0000-4000-8000-00000000000${n}`, 'x');

  isBroken = true;
  await expect(world.stores.events.append(event(1), {})).rejects.toThrow('no commit');
  isBroken = false;
  expect(await world.stores.events.append(event(2), {})).toMatchObject({ seq: 1 });

  expect((await world.stores.events.read({ limit: 10 })).events).toHaveLength(1);
  await world.dispose();
});
