// argv: place of the store (a state directory, or a postgres URL), id of the job, number of this
// process, ids of the items. Resolves each item as a person of its own, then takes the job if it
// may; tells what became of each.
import { isKitError } from '../../src/domain/errors.js';
import { NO_FAULTS } from '../../src/domain/faults.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import { openPostgresStores } from '../../src/store/postgres/open-postgres-stores.js';
import { openSqliteStores } from '../../src/store/sqlite/open-sqlite-stores.js';
import { placeOf } from './postgres-world.js';
import { approve } from './review-samples.js';
import { claimOf, createIds } from './store-samples.js';
import { SILENT } from './store-world.js';

const [place = '', jobId = '', number = '1', ...itemIds] = process.argv.slice(2);
const ids = createIds(Number(number));
const shared = { ids: createIds(0x1000 + Number(number)), faults: NO_FAULTS, log: SILENT };
const clock = { now: () => Date.now(), sleep: () => Promise.reject(new Error('unused')) };

const stores: Stores = place.startsWith('postgres')
  ? await openPostgresStores({ place: placeOf(place), poolSize: 1, maxOverflow: 1, ...shared })
  : await openSqliteStores({ stateDir: place, clock, processStartOf: () => '1', ...shared });
process.stdout.write('{"open":true}\n');
await new Promise((resolve) => process.stdin.once('data', resolve));

// Each begins with another item, so that they meet at all of them.
const from = Number(number) % itemIds.length;
const results: string[] = [];
let busy = 0;

/**
 * As the hint of the refusal says: on a machine that is busy with other things, so many processes
 * may keep one waiting too long.
 */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isKitError(error) || error.code !== 'KIT_STORE_BUSY') throw error;
      busy += 1;
    }
  }
}

for (const itemId of [...itemIds.slice(from), ...itemIds.slice(0, from)]) {
  const { result } = await again(() => stores.reviews.change(jobId, approve({ itemId, by: `person-${number}`, ids })));
  results.push(result);
}
const claims = await again(() => stores.jobs.claim(claimOf({ workerId: `w${number}`, leaseMs: 600_000 })));
await new Promise<void>((resolve) =>
  process.stdout.write(`${JSON.stringify({ results, claimed: claims.length, busy })}\n`, () => resolve()),
);
await stores.close();
process.exit(0);
