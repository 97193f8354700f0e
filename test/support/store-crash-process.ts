// argv: state directory, number of the fault point to die at ('0': at none, and tell what is
// durable at each).
import { writeSync } from 'node:fs';
import { openSqliteStores } from '../../src/store/sqlite/open-sqlite-stores.js';
import { runCrashScenario } from './store-crash-scenario.js';
import { dumpStore } from './store-dump.js';
import { createIds } from './store-samples.js';
import { createManualClock, SILENT } from './store-world.js';

const [stateDir = '', dieAt = '0'] = process.argv.slice(2);
let hits = 0;

const faults = {
  hit(name: string): void {
    hits += 1;
    if (dieAt === '0') writeSync(1, `${JSON.stringify({ name, dump: dumpStore(stateDir) })}\n`);
    else if (hits === Number(dieAt)) {
      process.kill(process.pid, 'SIGKILL');
      for (;;); // the signal is on its way: not one more statement
    }
  },
};

const clock = createManualClock();
const stores = await openSqliteStores({
  stateDir,
  clock,
  ids: createIds(0xfe),
  faults,
  log: SILENT,
  processStartOf: () => null,
});
await runCrashScenario({ stores, clock });
await stores.close();
