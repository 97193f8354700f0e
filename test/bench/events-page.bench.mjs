// Pages of an event log of 1,000,000 rows (KIT_BENCH_EVENTS: fewer, or more), as `GET /events`
// reads them: at its start, in its middle and at its end, of one run, of two types, of a type
// that occurs once. Then pages of `GET /audit` about an agent that nobody is, which has all
// rows to look at: one answer looks back for 100 ms and says how far it came. Beside them as
// much work that asks no store: a process that shares its processors waits for them, and pays
// in its p99.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import '../support/processes-typescript.mjs';
import { inDirectory } from './support/directory.mjs';
import { loadNow, median, ms, show } from './support/figures.mjs';

const { openSqliteStores } = await import('../../src/store/sqlite/open-sqlite-stores.ts');
const { readAudit } = await import('../../src/app/events/read-log.ts');
const { ADD_END_OF_FILED, FILE_TYPES, MOVE_END_OF_FILED } = await import('../../src/store/sqlite/sql/events.ts');
const { addFunctions } = await import('../../src/store/sqlite/functions.ts');
const { fillByHand } = await import('../support/fill-rows.ts');
const { createIds } = await import('../support/store-samples.ts');
const { SILENT } = await import('../support/store-world.ts');

const ROWS = Number(process.env.KIT_BENCH_EVENTS ?? 1_000_000);
const EVENTS_A_RUN = 33;
const PAGE = 100;
const POLLS = 1000;
const BAR_MS = 2;
const AUDIT_BAR_MS = 250;
/** Pages at the end may take this much longer than at the start. */
const FLAT = 2;
const RARE = 'rework';
const TYPES = ['agent.started', 'agent.completed', 'model.called', 'skill.executed'];

await inDirectory(async (directory) => {
  const stateDir = join(directory, '.kit');
  const open = () =>
    openSqliteStores({
      stateDir,
      clock: { now: () => Date.now(), sleep: async () => {} },
      ids: createIds(9),
      faults: { hit: () => {} },
      log: SILENT,
      processStartOf: () => '1',
    });
  const made = await open();
  await made.close();
  fill(join(stateDir, 'store.sqlite'));
  const stores = await open();
  const { events } = stores;
  console.log(
    `${ROWS} events of ${Math.ceil(ROWS / EVENTS_A_RUN)} runs, pages of ${PAGE}, ${POLLS} of each; ${loadNow()}`,
  );

  await calibrate();
  const head = await events.headCursor();
  const places = { start: '', middle: await cursorAt(events, ROWS / 2), end: await cursorAt(events, ROWS - PAGE) };
  const medians = [];
  for (const [place, after] of Object.entries(places))
    medians.push(await pages(`any type, at the ${place}`, () => events.read({ after, limit: PAGE })));
  const flatness = Math.max(...medians) / Math.min(...medians);
  show('slowest of these beside the fastest (medians)', `${flatness.toFixed(2)}x`, {
    bar: `${FLAT}x`,
    holds: flatness <= FLAT,
  });
  for (const [place, after] of Object.entries(places)) {
    await pages(`a type that occurs once, from the ${place}`, () => events.read({ after, types: [RARE], limit: PAGE }));
    await pages(`two frequent types, from the ${place}`, () =>
      events.read({ after, types: TYPES.slice(0, 2), limit: PAGE }),
    );
    await pages(`a run in the middle, from the ${place}`, () =>
      events.read({ after, jobId: jobId(ROWS / EVENTS_A_RUN / 2), limit: PAGE }),
    );
  }
  await pages('a poll that finds nothing new', () => events.read({ after: head, limit: PAGE }));
  await pages('the end of the log', () => events.headCursor());
  await pages('the newest of a type that occurs once', () => events.readNewest({ types: [RARE], limit: PAGE }));
  await pages('the newest of a run', () => events.readNewest({ jobId: jobId(7), limit: PAGE }));
  await auditOfNobody(stores);
  const found = (await events.read({ types: [RARE], limit: PAGE })).events.length;
  show('rare events found', String(found), { bar: '1', holds: found === 1 });
  await stores.close();
});

/**
 * What this machine makes of as much work that asks no store: a process that shares its processors
 * waits for them, and pays in its p99.
 */
async function calibrate() {
  const digests = 300;
  const bytes = Buffer.alloc(256);
  await pages(`calibration: ${digests} digests`, async () => {
    for (let n = 0; n < digests; n++) createHash('sha256').update(bytes).digest();
  });
}

async function pages(name, read) {
  const took = [];
  const before = process.cpuUsage();
  for (let n = 0; n < POLLS; n++) {
    const startedMs = performance.now();
    await read();
    took.push(performance.now() - startedMs);
  }
  const { user, system } = process.cpuUsage(before);
  took.sort((a, b) => a - b);
  const p99 = took[Math.ceil(took.length * 0.99) - 1];
  const figures = `p50 ${ms(median(took))}, p99 ${ms(p99)}, max ${ms(took.at(-1))}, processor ${ms((user + system) / 1000 / POLLS)}`;
  show(name, figures, name.startsWith('calibration') ? {} : { bar: ms(BAR_MS, 0), holds: p99 <= BAR_MS });
  return median(took);
}

/** From the newest row to the oldest, an answer after the other. */
async function auditOfNobody(stores) {
  const clock = { now: () => performance.now() };
  const asked = { workspace: '', run: null, agent: 'nobody', topology: null, types: [], since: null, limit: 100 };
  const [took, worked] = [[], []];
  for (let before = null; took.length === 0 || before !== null; ) {
    const startedMs = performance.now();
    const cpu = process.cpuUsage();
    const page = await readAudit({ stores, clock }, { ...asked, before, signal: new AbortController().signal });
    took.push(performance.now() - startedMs);
    const { user, system } = process.cpuUsage(cpu);
    worked.push((user + system) / 1000);
    before = page.before;
  }
  // On a busy machine the slowest answer waited for a processor.
  const [middle, dearest] = [median(took), Math.max(...worked)];
  show(
    'audit of an agent that nobody is, an answer',
    `p50 ${ms(middle, 0)}, max ${ms(Math.max(...took), 0)}, processor ${ms(dearest, 0)} at most; ${took.length} answers`,
    { bar: ms(AUDIT_BAR_MS, 0), holds: middle <= AUDIT_BAR_MS && dearest <= AUDIT_BAR_MS },
  );
}

function jobId(run) {
  return Math.floor(run).toString(16).padStart(12, '0');
}

/** The place behind so many events: cursors are opaque, so the log is read to there. */
async function cursorAt(events, count) {
  let after = '';
  for (let left = count; left > 0; ) {
    const page = await events.read({ after, limit: Math.min(1000, left) });
    after = page.nextCursor;
    left -= page.events.length;
  }
  return after;
}

/**
 * The rows as commits write them, filed by their types, but without their hashes being right:
 * nothing here reads those.
 */
function fill(path) {
  const db = new Database(path);
  addFunctions(db, 'write');
  fillByHand(db);
  db.pragma('synchronous = OFF');
  const job = db.prepare(
    `INSERT INTO jobs (ord, id, status, waiting_status, topology, input, labels, source, submitted_by, submitted_assurance, attempt, crashes, job_class, priority,
      engine, needs, snapshot, recover, waiting_on, auto_resume, executed_ms, attachments, created_at)
    VALUES (?, ?, 'completed', 'pending', 'review', 'look', '{}', 'serve', 'ada', 'asserted', 1, 0, 'model', 0, 1, '{}', 's', 'auto', '[]', 1, 0, '[]', '2026')`,
  );
  const event = db.prepare(
    `INSERT INTO events (run, job_id, seq, event_id, type, timestamp, topology_id, agent_id, step_key, payload, labels, prev_hash, hash)
    VALUES (?, ?, ?, ?, ?, ?, 'review', 'writer', ?, ?, '{"team":"core"}', ?, ?)`,
  );
  const text = 'what a model call leaves behind: provider, model, tokens, cost, how it ended. '.repeat(3);
  db.transaction(() => {
    for (let n = 0; n < ROWS; n++) {
      const [run, seq] = [Math.floor(n / EVENTS_A_RUN) + 1, (n % EVENTS_A_RUN) + 1];
      if (seq === 1) job.run(run, jobId(run));
      const type = n === Math.floor(ROWS * 0.4) ? RARE : TYPES[n % TYPES.length];
      const id = `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
      const at = new Date(Date.parse('2026-01-01T00:00:00.000Z') + n * 10).toISOString();
      const hash = n.toString(16).padStart(64, '0');
      event.run(run, jobId(run), seq, id, type, at, `root/d0/t${seq}`, JSON.stringify({ n, text }), hash, hash);
    }
    db.prepare(FILE_TYPES).run({ upTo: ROWS });
    if (db.prepare(MOVE_END_OF_FILED).run({ upTo: ROWS }).changes === 0)
      db.prepare(ADD_END_OF_FILED).run({ upTo: ROWS });
  })();
  db.close();
}
