import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Database from 'better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import { type Pacing, realPacing } from '../../../src/store/pacing.js';
import { fillByHand } from '../../support/fill-rows.js';
import {
  claimOf,
  endedEvent,
  endWrite,
  fenceOf,
  newJob,
  runEndWrite,
  startedEvent,
  startWrite,
  stepOf,
} from '../../support/store-samples.js';
import { MANUAL_START_MS, openSqliteWorld, type SqliteWorld } from '../../support/store-world.js';

const RUNS = 40_000;
/**
 * Runs at the end that name a blob again which the first ones have named: further back than a plan
 * remembers.
 */
const AGAIN = 100;
const BLOB = 'a large result';
const DAY_MS = 24 * 60 * 60 * 1000;
/** A run and its digest take some 250 bytes: all of them 10 MB. */
const MAX_BYTES = 5_000_000;
/**
 * A collection takes as long as the heap of the process that other tests share is large: of some
 * 300 turns each sixteenth is looked at.
 */
const LOOK_EACH = 16;

let world: SqliteWorld;
afterEach(() => world.dispose());

it(`plans the removal of ${RUNS} runs without keeping them in memory, and counts a blob once that the first and the last of them name`, async () => {
  const gc = collector();
  const live: number[] = [];
  let turns = 0;
  const pacing: Pacing = {
    ...realPacing,
    nextTurn: async () => {
      turns += 1;
      if (turns % LOOK_EACH === 0) {
        gc();
        live.push(process.memoryUsage().heapUsed);
      }
      await realPacing.nextTurn();
    },
  };
  world = await openSqliteWorld({ parts: { pacing } });
  const { stores, ids } = world;
  const endedAt = new Date(MANUAL_START_MS).toISOString();
  const job = await stores.jobs.insert(newJob(ids.jobId()), 'pending', [startedEvent(ids.uuid())], claimOf());
  await stores.runs.commit(fenceOf(job), [
    startWrite(stepOf(job.id, 'root')),
    endWrite('root', { status: 'ok', value: 'x' }),
  ]);
  await stores.runs.commit(fenceOf(job), [runEndWrite([endedEvent(ids.uuid())], { endedAt })]);
  repeat(job.id);
  await stores.jobs.insert(newJob(ids.jobId()), 'queued', [startedEvent(ids.uuid())]);
  await world.elapse(31 * DAY_MS);
  gc();
  const before = process.memoryUsage().heapUsed;
  live.length = 0;

  const plan = await stores.retention.plan({ olderThanDays: 30 }, 'exact');

  expect(plan).toMatchObject({
    runs: RUNS + 1,
    blobs: AGAIN,
    bytes: { blobs: AGAIN * BLOB.length },
    rows: { jobs: RUNS + 1, steps: RUNS + 1 },
  });
  const grown = Math.max(...live) - before;
  console.log(`a plan of ${RUNS} runs holds ${(grown / 1e6).toFixed(1)} MB at most (goal ${MAX_BYTES / 1e6} MB)`);
  expect(live.length).toBeGreaterThan(10);
  expect(grown).toBeLessThan(MAX_BYTES);

  const estimate = await stores.retention.plan({ olderThanDays: 30 }, 'estimate');
  expect(estimate).toMatchObject({ method: 'estimate', runs: RUNS + 1, rows: { jobs: RUNS + 1, steps: RUNS + 1 } });
  // All but a few rows of the file go.
  for (const { bytes, databaseBytes } of [plan, estimate]) {
    expect(bytes.database).toBeGreaterThan(databaseBytes.now * 0.4);
    expect(bytes.database).toBeLessThan(databaseBytes.now);
  }
  console.log(`bytes of ${plan.databaseBytes.now}: exact ${plan.bytes.database}, estimated ${estimate.bytes.database}`);
  expect((await stores.retention.growth({ olderThanDays: 30 })).due).toMatchObject({ runs: 10_000, isMore: true });
});

/**
 * The same run many times, each with a result of its own in the blob store; the last ones have the
 * results of the first.
 */
function repeat(id: string): void {
  const db = new Database(world.path, { timeout: 5000 });
  fillByHand(db);
  const copy = (table: string, over: Readonly<Record<string, string>>): void => {
    const columns = db.prepare(`SELECT name FROM pragma_table_info('${table}')`).pluck().all() as string[];
    const where = table === 'jobs' ? 'id' : 'job_id';
    db.prepare(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${RUNS})
      INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.map((name) => over[name] ?? `t.${name}`).join(', ')}
      FROM n CROSS JOIN ${table} AS t WHERE t.${where} = ?`).run(id);
  };
  const at = "strftime('%Y-%m-%dT%H:%M:%fZ', '2025-01-01', '+' || i || ' seconds')";
  copy('jobs', { ord: '1000 + i', id: "printf('f%011x', i)", completed_at: at });
  const digest = `printf('%064x', CASE WHEN i > ${RUNS - AGAIN} THEN i - ${RUNS - AGAIN} ELSE i END)`;
  copy('steps', {
    ord: '1000 + i',
    run: '1000 + i',
    job_id: "printf('f%011x', i)",
    outcome: 'NULL',
    outcome_sha256: digest,
  });
  db.close();
  const put = new Date(MANUAL_START_MS);
  for (let n = 1; n <= AGAIN; n++) {
    const sha256 = n.toString(16).padStart(64, '0');
    const directory = join(world.stateDir, 'blobs', sha256.slice(0, 2));
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, sha256), BLOB);
    utimesSync(join(directory, sha256), put, put);
  }
}

function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void; // V8's own; no type knows it
}
