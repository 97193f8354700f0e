import { expect, it } from 'vitest';
import type { MemorySettings } from '../../../src/domain/memory-settings.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { over } from '../../support/over.js';
import { agent, openWorld } from '../../support/run-world.js';

const ON: MemorySettings = {
  enabled: true,
  maxResults: 5,
  similarityThreshold: 0.15,
  searchScope: 'user',
  minOutputLength: 20,
};
const OUTPUT = 'The invoice was written in euro and sent to the customer.';
const FOUND = {
  subject: 'billing',
  attribute: 'currency',
  value: 'invoices are in euro',
  type: 'semantic',
  confidence: 0.7,
  relation: null,
};

it.each([
  { when: 'before its work is looked through', extractions: 2 },
  { when: 'before what was found is written', extractions: 1 },
  { when: 'after it was written, and before anybody noted that', extractions: 1 },
])('a run that is left $when remembers once, and its end is the same', async ({ when, extractions }) => {
  const leaving = new AbortController();
  const never = (): Promise<never> => {
    leaving.abort();
    return new Promise(() => undefined);
  };
  /** A store answers, one way or the other; who left hears it no more. */
  const gone = (): never => {
    leaving.abort();
    throw new Error('nobody is there to hear this');
  };
  let [asked, writes] = [0, 0];
  const world = await openWorld({
    root: agent('root'),
    // Nobody is told that this worker is gone: its lease ends.
    host: { ...readWorkerHost(), hostname: 'elsewhere' },
    leaseMs: 1_000,
    recover: 'auto',
    snapshot: { memory: ON },
    script: ({ request }) => {
      if (!JSON.stringify(request.messages).includes('keep the memory')) return OUTPUT;
      asked += 1;
      return asked === 1 && when.startsWith('before its work') ? never() : JSON.stringify({ memories: [FOUND] });
    },
    wrap: (stores) => ({
      ...stores,
      memory: over(stores.memory, {
        write: async (write) => {
          writes += 1;
          if (writes === 1 && when.startsWith('before what')) return gone();
          const written = await stores.memory.write(write);
          return writes === 1 && when.startsWith('after') ? gone() : written;
        },
      }),
    }),
  });
  try {
    expect(await world.run({ leave: leaving.signal })).toMatchObject({ kind: 'lost' });
    await expect.poll(() => world.stores.jobs.sweep(readWorkerHost())).not.toEqual([]);
    await world.runClaim(await world.claim());

    expect(await world.row()).toMatchObject({ status: 'completed', output: OUTPUT, attempt: 2 });
    expect(asked).toBe(extractions);
    const reader = { owner: 'tester', scope: 'user' } as const;
    const [item, ...more] = await world.stores.memory.item(reader, FOUND);
    expect(more).toEqual([]);
    expect(item).toMatchObject({ memory: { value: FOUND.value, reinforceCount: 0 }, history: [{ op: 'new' }] });
    expect(
      (await world.events()).filter(({ type }) => type === 'memory.written').map(({ payload }) => payload),
    ).toMatchObject([{ op: 'new' }]);
  } finally {
    await world.close();
  }
});
