// Durable overhead of ten agents that do nothing. kit: submit, claim, ten activations and eleven
// model calls of a leader with nine workers that wait for each other, through the use cases of `kit
// run`, until the commit of `run.ended` has returned; audit level `detailed`. Beside it
// LangGraph.js: `invoke` of ten nodes in a row with the SQLite saver, until it returns; the faster
// of its durability `sync` and `async` counts.
//
// Both sides run in one process on one file system with one build of SQLite (the peer's driver is
// pinned to ours), WAL and `synchronous=FULL`; both settings are read from both sides. Rounds
// alternate, medians count. The chain is not quite the same work, in the peer's favour: its node is
// a function, an agent of kit is asked about by governance, calls a model provider with a timeout,
// is checked against limits, and leaves an audit record whose events are hashed into a chain. A
// leader has to speak twice, so ten agents make eleven model calls. With 100 at once a figure is
// the time divided by 100.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { inDirectory } from './support/directory.mjs';
import { cpuMs, loadNow, median, ms, show, syncedPageMs, timed } from './support/figures.mjs';
import { openChainApp } from './support/kit-app.mjs';
import { openLangGraphChain } from './support/langgraph-app.mjs';

const ROUNDS = 7;
const ALONE = 15;
const TOGETHER = 100;
const WARM_UP = 60;
const BAR_CPU_MS = { alone: 6, together: 1.6 };

/** Tables of the journal, the log and the jobs; `sqlite_autoindex_jobs_1` is an index of theirs. */
const OF_RUNS = "name IN (SELECT name FROM sqlite_schema WHERE tbl_name IN ('event_rows', 'step_rows', 'jobs'))";
const SIZES = `SELECT sum(pgsize) AS pages, sum(payload) AS payload FROM dbstat WHERE ${OF_RUNS}`;

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

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
  const cpu = { alone: [], together: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, side] of Object.entries(sides)) {
      const before = cpuMs();
      alone[name].push((await timed(() => oneAfterAnother(side, ALONE))) / ALONE);
      const between = cpuMs();
      together[name].push((await timed(() => Promise.all(Array.from({ length: TOGETHER }, side)))) / TOGETHER);
      if (name !== 'kit') continue;
      cpu.alone.push((between - before) / ALONE);
      cpu.together.push((cpuMs() - between) / TOGETHER);
    }
  }
  console.log(
    `a synced page ${ms(syncedPageMs(directory))}, ${loadNow()}, medians of ${ROUNDS} interleaved rounds, per run`,
  );
  compare('a chain alone', alone, 5);
  compare(`a chain, ${TOGETHER} at once`, together, 4);
  const least = { alone: Math.min(...cpu.alone), together: Math.min(...cpu.together) };
  showLeast('a chain alone', least.alone, BAR_CPU_MS.alone);
  showLeast(`a chain, ${TOGETHER} at once`, least.together, BAR_CPU_MS.together);
  await showRows(app, await (await run()).done);
  await showBytes(directory, () => Promise.all(Array.from({ length: TOGETHER }, kit)));
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

function showLeast(what, leastMs, barMs) {
  show(`processor time of ${what}, kit, least`, ms(leastMs), { bar: `<= ${barMs} ms`, holds: leastMs <= barMs });
}

/** What one run leaves: rows of the audit log, rows of the journal, and its own row. */
async function showRows(app, job) {
  const stores = await app.stores();
  const events = (await stores.events.readRun(job.id, 0, 1000)).length;
  const steps = (await stores.runs.load(job.id)).length;
  show('event rows a run, audit level detailed', `${events}`, { bar: '<= 40', holds: events <= 40 });
  show('journal rows a run, beside its one job row', `${steps} (with events ${steps + events})`, {
    bar: '<= 56 in all',
    holds: steps + events + 1 <= 56,
  });
}

/** What rows of the journal, the log and the jobs take of one run, with their indexes. */
async function showBytes(directory, together) {
  const kit = await openKit(directory);
  // Pages that are half full are so before and after.
  for (let n = 0; n < 3; n++) await together();
  const before = kit.sql.get(SIZES, {});
  for (let n = 0; n < 3; n++) await together();
  const after = kit.sql.get(SIZES, {});
  kit.close();
  const bytes = (name) => (after[name] - before[name]) / (3 * TOGETHER);
  show('rows and index entries a run: journal, log, job', kilobytes(bytes('payload')), {
    bar: '<= 22 kB',
    holds: bytes('payload') <= 22_000,
  });
  show('the pages that they lie in, a run', kilobytes(bytes('pages')), {
    bar: '<= 22 kB',
    holds: bytes('pages') <= 22_000,
  });
}

async function openKit(directory, mode = 'read') {
  const { openConnection } = await import('../../src/store/sqlite/connection.ts');
  const { realPacing } = await import('../../src/store/pacing.ts');
  return openConnection({ path: join(directory, '.kit', 'store.sqlite'), mode, pacing: realPacing });
}

/**
 * Read from the files and from a connection of each side's own: WAL and synchronous=FULL (2) on
 * both.
 */
async function showPragmas(directory, peer) {
  const kit = await openKit(directory, 'write');
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
