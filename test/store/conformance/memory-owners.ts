import { expect, it } from 'vitest';
import type { MemoryReader } from '../../../src/domain/ports/memory.js';
import { reconcileMemory } from '../../../src/govern/memory/reconcile.js';
import { randomFrom } from '../../../src/lib/seeded.js';
import { seed } from '../../support/crash-share.js';
import type { World } from '../../support/store-world.js';
import { candidateOf } from './memory.js';

/** Names that are easily taken for one another, or for a space. */
const PEOPLE = ['ada', 'ben', 'own:ada', 'shared', 'ada ', '%', "o'neil"] as const;
const SCOPES = ['user', 'all', 'both'] as const;
const WRITES = 24;

interface Known {
  readonly origin: 'automatic' | 'person';
  readonly owner: string;
  readonly value: string;
}

/** Whether a reader may see an entry (docs/memory.md#whose-memory-it-is). */
const mayRead = ({ owner, scope }: MemoryReader, known: Known): boolean =>
  known.owner === owner || (known.origin === 'person' && scope !== 'user');

/** Who reads what, over random writers and every way to read (KIT_TEST_SEED). */
export function memoryOwnerLaws(world: World): void {
  it('gives every reader, by every way and in every scope, what is theirs and what people wrote, and never what came out of the runs of others', async () => {
    const store = world().stores.memory;
    const random = randomFrom(seed());
    const pick = <T>(items: readonly T[]): T =>
      items[Math.floor(random() * items.length)] ?? expect.fail('nothing to pick from');
    const all: Known[] = [];
    for (let n = 0; n < WRITES; n += 1) {
      const known: Known = {
        origin: pick(['automatic', 'person'] as const),
        owner: pick(PEOPLE),
        value: `fact number${n}`,
      };
      const candidate = candidateOf(known.value, { subject: `subject${n}`, confidence: random() });
      const facts = {
        session: null,
        jobId: known.origin === 'person' ? null : `job${n}`,
        writeId: `w-${n}`,
        decide: reconcileMemory,
      };
      // Each is contradicted by whoever wrote it, so that something is set aside of everything.
      await store.write({ ...known, ...facts, candidates: [candidate, { ...candidate, value: `against number${n}` }] });
      all.push(known);
    }
    for (const owner of [...PEOPLE, 'eve', ''])
      for (const scope of SCOPES) {
        const reader = { owner, scope };
        const expected = all.filter((known) => mayRead(reader, known)).map(({ value }) => value);
        const listed = await store.list(reader, { type: null, limit: 200 });
        expect(listed.map(({ value }) => value).sort(), `list ${owner} ${scope}`).toEqual([...expected].sort());
        if (scope === 'both') {
          const isForeign = listed.map((one) => one.owner !== owner);
          expect(isForeign, `own first ${owner}`).toEqual([...isForeign].sort());
        }
        for (const [n, known] of all.entries()) {
          const isSeen = expected.includes(known.value);
          const found = await store.find(reader, { words: [`number${n}`], limit: 5 });
          expect(
            found.map(({ memory }) => memory.value),
            `find ${n} ${owner} ${scope}`,
          ).toEqual(isSeen ? [known.value] : []);
          const item = await store.item(reader, { subject: `subject${n}`, attribute: 'currency' });
          expect(item, `item ${n} ${owner} ${scope}`).toHaveLength(isSeen ? 1 : 0);
        }
        const quarantined = await store.quarantine(reader, { status: null, limit: 200 });
        for (const one of quarantined)
          expect(one.origin === 'person' || one.owner === owner, `aside ${owner} ${scope}`).toBe(true);
      }
  });
}
