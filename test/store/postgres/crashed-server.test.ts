import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Stores } from '../../../src/domain/ports/stores.js';
import { realPacing } from '../../../src/store/pacing.js';
import { openPostgresStores } from '../../../src/store/postgres/open-postgres-stores.js';
import { type Cluster, startCluster } from '../../soak/cluster.js';
import { placeOf } from '../../support/postgres-world.js';
import { killListed } from '../../support/processes.js';
import { createIds, messageEvent } from '../../support/store-samples.js';
import { SILENT } from '../../support/store-world.js';

/** The server keeps what is not committed in its memory alone, which a crash takes from it. */
const NOTHING_WRITTEN_AHEAD = ['wal_writer_delay=10000', 'autovacuum=off'];
const DATABASE = 'kit';
/** Numbers of transactions that may lie between the last one on disk and the one that was lost. */
const MOST_NUMBERS = 500;

let cluster: Cluster;
let stores: Stores;
/** What happens right before the next COMMIT. */
let beforeCommit: () => void = () => undefined;
/** What happens before the server is asked again. */
let beforeNextTry: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  cluster = await startCluster(NOTHING_WRITTEN_AHEAD);
  await cluster.createDatabase(DATABASE);
  stores = await openPostgresStores({
    place: placeOf(cluster.url(DATABASE)),
    poolSize: 2,
    maxOverflow: 2,
    ids: createIds(1),
    log: SILENT,
    faults: { hit: (name) => void (name === 'event.append:before' && beforeCommit()) },
    parts: {
      pacing: {
        ...realPacing,
        sleep: async (ms) => {
          await beforeNextTry();
          await sleep(ms);
        },
      },
    },
  });
}, 120_000);

afterAll(async () => {
  await stores.close();
  await cluster.dispose();
});

const event = (n: number) => messageEvent(`00000000-0000-4000-8000-00000000000${n}`, 'x');

/** Takes a number and commits; the number. */
async function takeNumber(): Promise<number> {
  const client = await cluster.client(DATABASE);
  const { rows } = await client.query<{ xid: string }>('SELECT pg_current_xact_id()::text AS xid');
  await client.end();
  return Number(rows[0]?.xid);
}

/** Kills the server process of the writer and the server before a COMMIT reaches them. */
async function crashAtNextCommit(): Promise<void> {
  const backends = await cluster.backends(DATABASE);
  beforeCommit = () => {
    beforeCommit = () => undefined;
    for (const pid of backends) killListed(pid);
    void cluster.kill();
  };
}

it('a server that crashed tells of another transaction of that number, which is not taken for the lost one', async () => {
  await stores.events.append(event(1), {});
  const lost = (await takeNumber()) + 1;
  await crashAtNextCommit();
  const taken: number[] = [];
  beforeNextTry = async () => {
    beforeNextTry = async () => undefined;
    await cluster.start();
    while ((taken.at(-1) ?? 0) < lost && taken.length < MOST_NUMBERS) taken.push(await takeNumber());
  };

  await expect(stores.events.append(event(2), {})).rejects.toMatchObject({
    code: 'KIT_STORE_UNAVAILABLE',
    message: expect.stringContaining('may or may not have been written'),
  });

  // Somebody else's transaction has the number now, and the server says that it is committed.
  expect(taken).toContain(lost);
  expect((await stores.events.read({ limit: 10 })).events.map(({ eventId }) => eventId)).toEqual([event(1).eventId]);
  expect(await stores.events.append(event(2), {})).toMatchObject({ seq: 2 });
}, 120_000);
