// argv: state directory. Holds one job under a lease until it is killed.
import { NO_FAULTS } from '../../src/domain/faults.js';
import { openSqliteStores } from '../../src/store/sqlite/open-sqlite-stores.js';
import { processStartOf, readWorkerHost } from '../../src/system/worker-host.js';
import { claimOf, createIds, newJob } from './store-samples.js';
import { createManualClock, SILENT } from './store-world.js';

const [stateDir = ''] = process.argv.slice(2);
const ids = createIds(7);
const stores = await openSqliteStores({
  stateDir,
  clock: createManualClock(),
  ids,
  faults: NO_FAULTS,
  log: SILENT,
  processStartOf,
});
const job = await stores.jobs.insert(newJob(ids.jobId()), 'pending', [], claimOf({ host: readWorkerHost() }));
process.stdout.write(`${JSON.stringify({ jobId: job.id })}\n`);
process.stdin.resume();
