import { utimesSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FaultPoints } from '../../../src/domain/faults.js';
import { createBlobFiles } from '../../../src/store/blob-files.js';
import { type Pacing, realPacing } from '../../../src/store/pacing.js';
import { OLDEST } from '../../../src/store/sql/prune.js';
import { DUE_CANDIDATES } from '../../../src/store/sql/retention.js';
import { ACCESS_SHARE, PAGES, PRUNE } from '../../../src/store/sqlite/sql/prune.js';
import { JOBS_TO_PRUNE, NAMED_OF } from '../../../src/store/sqlite/sql/retention.js';
import {
  claimOf,
  endedEvent,
  endWrite,
  fenceOf,
  newJob,
  runEndWrite,
  startWrite,
  stepOf,
} from '../../support/store-samples.js';
import { openSqliteWorld, type SqliteWorld } from '../../support/store-world.js';

const FAR = '2030-01-01T00:00:00.000Z';
const SLICE_MS = 50;

let world: SqliteWorld;
let db: Database.Database;
beforeEach(async () => {
  world = await openSqliteWorld();
  db = new Database(world.path, { timeout: 1000 });
});
afterEach(async () => {
  db.close();
  await world.dispose();
});

it.each([
  ['the jobs that are due', JOBS_TO_PRUNE, ['jobs_to_prune']],
  ['who names a blob', NAMED_OF, ['steps_by_blob', 'jobs_by_snapshot', 'jobs_by_diffs', 'jobs_with_attachments']],
  ['the blobs that are due', DUE_CANDIDATES, ['blob_candidates_due']],
  ['the runs whose audit is due', PRUNE.DUE, ['jobs_over']],
  ['how many runs ended so long ago', PRUNE.ENDED, ['jobs_over']],
  ['the lines of the access log that are due', ACCESS_SHARE, ['COVERING INDEX serve_access_by_age']],
  ['how many events some runs have', PRUNE.SHARE('events', '0'), ['COVERING INDEX events_by_run']],
  ['how many steps some runs have', PRUNE.SHARE('steps', '0'), ['COVERING INDEX steps_by_run']],
])('finds %s by index', (_, sql, indexes) => {
  const names = [...sql.matchAll(/@(\w+)/g)].map((match) => match[1] ?? '');
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(Object.fromEntries(names.map((name) => [name, 1]))) as {
    detail: string;
  }[];
  const details = plan.map((step) => step.detail).join('\n');

  for (const index of indexes) expect(details).toContain(index);
});

it('looks through the attachments of all runs once, whatever the number of blobs', () => {
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${NAMED_OF.replaceAll('@digests', "'[]'")}`).all() as {
    id: number;
    parent: number;
    detail: string;
  }[];
  const attached = plan.find(({ detail }) => detail.includes('jobs_with_attachments'));

  // As a list that is made first, and not for each blob.
  expect(plan.find(({ id }) => id === attached?.parent)?.detail).toMatch(/^LIST SUBQUERY/);
});

it('finds the oldest run without reading the others', () => {
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${OLDEST}`).all() as { detail: string }[];

  // The first row in the order of the key.
  expect(plan.map(({ detail }) => detail)).toEqual(['SCAN jobs']);
});

it('is told the pages of a table in the order of its keys, one after the other', async () => {
  const job = await world.stores.jobs.insert(newJob(world.ids.jobId()), 'pending', [], claimOf());
  for (let n = 0; n < 300; n++) {
    const key = `root/t${n}`;
    await world.stores.runs.commit(fenceOf(job), [
      startWrite(stepOf(job.id, key)),
      endWrite(key, { status: 'ok', value: 'y'.repeat(n % 10 === 0 ? 20_000 : 200) }),
    ]);
  }
  const sql = PAGES.replace('@tree', '?');

  for (const tree of ['step_rows', 'steps_by_run']) {
    const pages = db.prepare(sql).all(tree) as { kind: string; path: string }[];
    expect(pages.length).toBeGreaterThan(2);
    expect(pages).toEqual(db.prepare(`${sql} ORDER BY path`).all(tree));
  }
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all('step_rows') as { detail: string }[];
  expect(plan).toHaveLength(1);
});

it('holds the write lock in slices, with the largest results that lie in rows', async () => {
  const job = await world.stores.jobs.insert(newJob(world.ids.jobId()), 'pending', [], claimOf());
  const value = 'y'.repeat(60_000);
  for (let n = 0; n < 400; n++) {
    const key = `root/t${n}`;
    await world.stores.runs.commit(fenceOf(job), [
      startWrite(stepOf(job.id, key)),
      endWrite(key, { status: 'ok', value }),
    ]);
  }
  await world.stores.runs.commit(fenceOf(job), [runEndWrite([endedEvent(world.ids.uuid())])]);
  await world.stores.close();
  const turns: number[] = [];
  const pacing: Pacing = {
    ...realPacing,
    // The queue asks before it takes the lock and after it gave it back.
    nowMs: () => {
      turns.push(performance.now());
      return performance.now();
    },
  };
  let writes = 0;
  const faults: FaultPoints = {
    hit: (name) => {
      if (name === 'run.prune:after') writes += 1;
    },
  };
  const slow = await openSqliteWorld({ stateDir: world.stateDir, parts: { pacing }, faults });

  turns.length = 0;
  expect(await slow.stores.runs.prune({ endedBefore: FAR, limit: 1 })).toEqual({ jobs: 1, more: false });

  const longest = Math.max(...turns.map((at, n) => at - (turns[n - 1] ?? at)));
  console.log(`pruning 400 results of 60 kB: ${writes} writes, longest ${longest.toFixed(1)} ms (goal ${SLICE_MS} ms)`);
  // With 25 of the largest results a write stays far below its goal.
  expect(writes).toBeGreaterThanOrEqual(400 / 25);
  await slow.stores.close();
});

it('takes a blob away only when nobody has touched it, and says so', async () => {
  const directory = join(world.stateDir, 'blobs');
  const files = createBlobFiles(directory, { faults: { hit: () => {} }, nowMs: () => 1_000_000 });
  const sha256 = await files.put(Buffer.from('some bytes'));

  expect(files.removeUnused(sha256, 999_999)).toBe(false);
  expect(await files.get(sha256)).not.toBeNull();
  expect(files.removeUnused(sha256, 1_000_000)).toBe(true);
  expect(await files.get(sha256)).toBeNull();
  expect(files.removeUnused(sha256, 0)).toBe(true);
  expect(await readdir(join(directory, sha256.slice(0, 2)))).toEqual([]);
});

it('puts a blob back that somebody touched while it was being taken away', async () => {
  const directory = join(world.stateDir, 'blobs');
  const path = (sha256: string): string => join(directory, sha256.slice(0, 2), sha256);
  const plain = createBlobFiles(directory, { faults: { hit: () => {} }, nowMs: () => 1_000_000 });
  const sha256 = await plain.put(Buffer.from('wanted again'));
  const files = createBlobFiles(directory, {
    // After the look and before the removal: where another process may come in between.
    faults: { hit: (name) => (name === 'blob.collect:before' ? utimesSync(path(sha256), 2000, 2000) : undefined) },
    nowMs: () => 1_000_000,
  });

  expect(files.removeUnused(sha256, 1_500_000)).toBe(false);

  expect(await files.get(sha256)).not.toBeNull();
});
