// The check of a run's log at its first claim after people decided:
// the chain of hashes over all of its events, and what was decided held against them. Runs of
// ten agents are made by the use cases of `kit run`; then each is checked many times over the
// real store.
import { inDirectory } from './support/directory.mjs';
import { show } from './support/figures.mjs';
import { openChainApp } from './support/kit-app.mjs';

const { findLogBreak } = await import('../../src/app/proof/check-log.ts');
const { openSqliteStores } = await import('../../src/store/sqlite/open-sqlite-stores.ts');
const { createIds } = await import('../support/store-samples.ts');
const { SILENT } = await import('../support/store-world.ts');

const RUNS = 20;
const ROUNDS = 30;
const BAR_US = 15;

await inDirectory(async (directory) => {
  const { app, run } = openChainApp(directory);
  const ids = [];
  for (let n = 0; n < RUNS; n++) {
    const { id, done } = await run();
    await done;
    ids.push(id);
  }
  await app.close();
  const stores = await openSqliteStores({
    stateDir: `${directory}/.kit`,
    clock: { now: () => Date.now(), sleep: async () => {} },
    ids: createIds(9),
    faults: { hit: () => {} },
    log: SILENT,
    processStartOf: () => '1',
  });
  const jobs = await Promise.all(ids.map((id) => stores.jobs.get(id)));
  const counts = await Promise.all(ids.map(async (id) => (await stores.events.readRun(id, 0, 1000)).length));
  const events = counts.reduce((sum, count) => sum + count, 0);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    for (const job of jobs)
      if ((await findLogBreak(stores, job)) !== null) throw new Error(`the log of ${job.id} is broken`);
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / events);
  }
  rounds.sort((a, b) => a - b);
  const least = rounds[0];
  show(
    'processor time of the check, an event',
    `${least.toFixed(1)} us (least of ${ROUNDS} rounds over ${events} events of ${RUNS} runs; median ${rounds[ROUNDS >> 1].toFixed(1)} us)`,
    { bar: `${BAR_US} us`, holds: least <= BAR_US },
  );
  await stores.close();
});
