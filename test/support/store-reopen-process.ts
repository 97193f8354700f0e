// argv: state directory, number of this process, how often. Opens the store, writes one job, reads
// it back, closes, again.
import { NO_FAULTS } from '../../src/domain/faults.js';
import { openSqliteStores } from '../../src/store/sqlite/open-sqlite-stores.js';
import { createIds, newJob, startedEvent } from './store-samples.js';
import { createManualClock, SILENT } from './store-world.js';

const [stateDir = '', number = '1', times = '1'] = process.argv.slice(2);
const ids = createIds(Number(number));
const written: string[] = [];
for (let n = 0; n < Number(times); n++) {
  const stores = await openSqliteStores({
    stateDir,
    clock: createManualClock(),
    ids: createIds(0x200),
    faults: NO_FAULTS,
    log: SILENT,
    processStartOf: () => '1',
  });
  const job = await stores.jobs.insert(newJob(ids.jobId()), 'pending', [startedEvent(ids.uuid())]);
  if ((await stores.jobs.get(job.id)) === null) throw new Error(`${job.id} was written and is not there`);
  written.push(job.id);
  await stores.close();
}
process.stdout.write(`${JSON.stringify(written)}\n`);
