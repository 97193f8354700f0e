// Durable overhead of a chain of ten agents that do nothing, beside a chain of ten nodes in LangGraph.js with its SQLite saver.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { inDirectory } from './support/directory.mjs';
import { loadNow, median, ms, show, syncedPageMs, timed } from './support/figures.mjs';
import { openChainApp } from './support/kit-app.mjs';
import { openLangGraphChain } from './support/langgraph-app.mjs';

const ROUNDS = 7;
const ALONE = 15;
const TOGETHER = 100;
const WARM_UP = 60;

console.log('kit: submit, claim, 10 activations and 11 model calls (the leader delegates, then answers), every step and event in the store');
console.log('LangGraph.js: invoke, 10 nodes, a checkpoint and its writes per node; the faster of its durability "async" and "sync" counts');

await inDirectory(async (directory) => {
  const { app, run } = openChainApp(directory);
  const peer = openLangGraphChain(directory);
  const kit = async () => void (await run());
  const sides = { kit, 'LangGraph sync': () => peer.run('sync'), 'LangGraph async': () => peer.run('async') };
  for (const side of Object.values(sides)) {
    for (let n = 0; n < WARM_UP / 4; n++) await side();
    await Promise.all(Array.from({ length: WARM_UP }, side));
  }
  const alone = measures(sides);
  const together = measures(sides);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, side] of Object.entries(sides)) {
      alone[name].push((await timed(() => oneAfterAnother(side, ALONE))) / ALONE);
      together[name].push((await timed(() => Promise.all(Array.from({ length: TOGETHER }, side)))) / TOGETHER);
    }
  }
  console.log(`a synced page ${ms(syncedPageMs(directory))}, ${loadNow()}, medians of ${ROUNDS} interleaved rounds, per run`);
  compare('a chain alone', alone, 5);
  compare(`a chain, ${TOGETHER} at once`, together, 12);
  await showRows(app, await (await run()).done);
  await app.close();
  await showPragmas(directory, peer);
  peer.close();
});

function measures(sides) {
  return Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
}

async function oneAfterAnother(side, times) {
  for (let n = 0; n < times; n++) await side();
}

function compare(what, figures, bar) {
  for (const [name, values] of Object.entries(figures)) show(`${what}, ${name}`, ms(median(values)));
  const peer = Math.min(median(figures['LangGraph sync']), median(figures['LangGraph async']));
  const ratio = peer / median(figures.kit);
  show(`${what}: overhead less by`, `${ratio.toFixed(1)}x`, { bar: `>= ${bar}x`, holds: ratio >= bar });
}

/** What one run leaves: rows of the audit log, rows of the journal, and its own row. */
async function showRows(app, job) {
  const stores = await app.stores();
  const events = (await stores.events.readRun(job.id, 0, 1000)).length;
  const steps = (await stores.runs.load(job.id)).length;
  show('event rows a run, audit level detailed', `${events}`, { bar: '<= 40', holds: events <= 40 });
  show('journal rows a run, beside its one job row', `${steps} (with events ${steps + events})`);
}

/** Read from the files and from a connection of each side's own: WAL and synchronous=FULL (2) on both. */
async function showPragmas(directory, peer) {
  const { openConnection } = await import('../../src/store/sqlite/connection.ts');
  const { realPacing } = await import('../../src/store/pacing.ts');
  const kit = await openConnection({ path: join(directory, '.kit', 'store.sqlite'), mode: 'write', pacing: realPacing });
  const ours = { journal_mode: kit.sql.pragma('journal_mode'), synchronous: kit.sql.pragma('synchronous') };
  kit.close();
  const theirs = peer.pragmas();
  const isSame = [ours, theirs].every((one) => one.journal_mode === 'wal' && one.synchronous === 2);
  show('journal_mode, synchronous: kit / LangGraph', `${Object.values(ours)} / ${Object.values(theirs)}`, {
    bar: 'wal,2 on both',
    holds: isSame,
  });
  show('SQLite: kit / LangGraph', `${sqliteOf(Database)} on both (one better-sqlite3)`);
}

function sqliteOf(Driver) {
  const db = new Driver(':memory:');
  const { version } = db.prepare('SELECT sqlite_version() AS version').get();
  db.close();
  return version;
}
