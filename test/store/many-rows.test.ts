import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { POSTGRES_MIGRATIONS } from '../../src/store/postgres/migrations/index.js';
import { addFunctions } from '../../src/store/sqlite/functions.js';
import { SQLITE_MIGRATIONS } from '../../src/store/sqlite/migrations/index.js';
import { fillByHand } from '../support/fill-rows.js';
import { openPostgresWorld } from '../support/postgres-world.js';
import { openSqliteWorld, type StoreWorld } from '../support/store-world.js';

const ROWS = 100_000;
/** Times what a search through the whole log takes; a scan of all jobs or events costs many. */
const MOST_SEARCHES = 5;
const TRIES = 7;
/** On a machine that does much else, the answer that meets nobody takes more tries. */
const MOST_TRIES = 100;

const JOB_COLUMNS = `id, status, waiting_status, topology, input, labels, source, submitted_by, submitted_assurance, attempt, crashes, job_class, priority, engine, needs,
  snapshot, recover, waiting_on, auto_resume, executed_ms, attachments, created_at, claimed_at, started_at, completed_at`;
const EVENT_COLUMNS = 'job_id, seq, event_id, type, timestamp, topology_id, agent_id, payload, labels, prev_hash, hash';

/**
 * Half of the jobs wait and half are over, of 50 topologies; one event in a thousand is of a rare
 * type, and one in fifty a call of a model.
 */
const jobValues = (i: string, text: (number: string) => string): string => `
  ${text(i)}, CASE ${i} % 2 WHEN 0 THEN 'queued' ELSE 'completed' END, 'queued', 'topology-' || (${i} % 50), 'look', '{}', 'serve', 'ada', 'asserted',
  CASE ${i} % 2 WHEN 0 THEN 0 ELSE 1 END, 0, 'model', ${i} % 7, 1, '{"plugins":{},"adapters":{}}', 's', 'auto', '[]', 1, 0, '[]',
  '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.000Z', '2026-01-01T00:00:01.000Z', CASE ${i} % 2 WHEN 0 THEN NULL ELSE '2026-01-01T00:01:00.000Z' END`;
const eventValues = (i: string, text: (number: string) => string): string => `
  ${text(i)}, ${i}, ${text(i)}, CASE WHEN ${i} % 1000 = 0 THEN 'rework' WHEN ${i} % 50 = 1 THEN 'model.called' ELSE 'executor.message' END,
  '2026-01-01T00:00:00.000Z', 'review', 'lead',
  '{"model":"m","input_tokens":10,"output_tokens":5,"cached_input_tokens":0,"cost_usd":0.5,"text":"' || ${text(`${i} * 1000003`)} || '"}', '{}', '', ''`;

async function sqlite(): Promise<StoreWorld> {
  const world = await openSqliteWorld();
  const db = new Database(world.path);
  addFunctions(db, 'write');
  fillByHand(db);
  const rows = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})`;
  const text = (number: string): string => `CAST(${number} AS TEXT)`;
  db.exec(`${rows} INSERT INTO jobs (${JOB_COLUMNS}) SELECT ${jobValues('i', text)} FROM n`);
  db.exec(`${rows} INSERT INTO events (run, ${EVENT_COLUMNS}) SELECT i, ${eventValues('i', text)} FROM n`);
  db.exec(`DROP TABLE usage_runs; DROP TABLE usage_days; ${SQLITE_MIGRATIONS[18]}`);
  db.close();
  return world;
}

async function postgres(): Promise<StoreWorld> {
  const world = await openPostgresWorld();
  const rows = `FROM generate_series(1, ${ROWS}) AS n (i)`;
  const text = (number: string): string => `CAST(CAST(${number} AS BIGINT) AS TEXT)`;
  await world.database.query(`INSERT INTO kit.jobs (${JOB_COLUMNS}) SELECT ${jobValues('i', text)} ${rows}`);
  await world.database.query(
    `INSERT INTO kit.events (${EVENT_COLUMNS}) SELECT ${eventValues('CAST(i AS BIGINT)', text)} ${rows}`,
  );
  await world.database.query(
    `SET search_path = kit; DROP TABLE usage_runs; DROP TABLE usage_days; ${POSTGRES_MIGRATIONS[18]}`,
  );
  await world.database.query('VACUUM ANALYZE kit.jobs, kit.events');
  return world;
}

/** The least of several: what it costs, not what else this machine does. */
async function leastMs(work: () => Promise<unknown>, enoughMs = Number.POSITIVE_INFINITY): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < TRIES || (least > enoughMs && n < MOST_TRIES); n++) {
    const startedMs = performance.now();
    await work();
    least = Math.min(least, performance.now() - startedMs);
  }
  return least;
}

/** How often other work of the process got its turn. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return turns;
}

describe.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
])('%s with 100,000 jobs and as many events', (name, open) => {
  it(`answers what a server asks in the time of ${MOST_SEARCHES} searches through its log: ${name}`, async () => {
    const world = await open();
    const { serving, events, jobs } = world.stores;
    const asked: Readonly<Record<string, () => Promise<unknown>>> = {
      'figures of the queue': () => serving.queueStats(),
      'kinds of jobs that wait': () => serving.waitingKinds(),
      'jobs of one kind': () =>
        serving.countWaiting({ engine: 1, jobClass: 'model', needs: { plugins: {}, adapters: {} } }),
      'live jobs by status': () => serving.jobCounts('live'),
      'jobs that are over by status': () => serving.jobCounts('over'),
      'the newest events of a rare type': () => events.readNewest({ types: ['rework'], limit: 100 }),
      'the newest events of two types': () => events.readNewest({ types: ['rework', 'executor.message'], limit: 100 }),
      'the newest events of an agent': () => events.readNewest({ agentId: 'lead', limit: 100 }),
      'the end of the log': () => events.headCursor(),
      'jobs of a topology': () => jobs.list({ topology: 'topology-7', limit: 50 }),
      'jobs of a source that has none': () => jobs.list({ source: 'cli', limit: 50 }),
      'what 2,000 runs that have ended used': () => serving.usage({}),
    };
    const figures: Record<string, number> = {};
    const searchMs = await leastMs(() => events.readNewest({ agentId: 'nobody', limit: 100 }));
    const limitMs = MOST_SEARCHES * searchMs;
    for (const [what, work] of Object.entries(asked)) figures[what] = await leastMs(work, limitMs);
    const answers = {
      stats: await serving.queueStats(),
      rare: await events.readNewest({ types: ['rework'], limit: 100 }),
      usage: await serving.usage({}),
    };
    const turns = await turnsDuring(() => events.readNewest({ agentId: 'nobody', limit: 100 }));
    await world.dispose();

    console.log(
      `${name}: ${Object.entries({
        ...figures,
        'a search through the whole log': searchMs,
      })
        .map(([what, ms]) => `${what} ${ms.toFixed(1)} ms`)
        .join(', ')}`,
    );
    expect(answers.stats).toMatchObject({
      queued: ROWS / 2,
      sampleSize: 500,
      queueWaitP95Ms: 1000,
      executionP50Ms: 59_000,
    });
    expect(Object.keys(answers.stats.depthByTopology)).toHaveLength(25);
    expect(answers.rare).toHaveLength(100);
    expect(answers.usage).toMatchObject([{ key: 'm', calls: ROWS / 50, costUsd: ROWS / 100 }]);
    expect(turns).toBeGreaterThan(3);
    for (const [what, ms] of Object.entries(figures)) expect(ms, what).toBeLessThan(limitMs);
  }, 120_000);
});
