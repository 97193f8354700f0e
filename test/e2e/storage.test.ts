import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NO_FAULTS } from '../../src/domain/faults.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import { openPostgresStores } from '../../src/store/postgres/open-postgres-stores.js';
import { openSqliteStores } from '../../src/store/sqlite/open-sqlite-stores.js';
import { createDatabase, type TestDatabase } from '../support/components/postgres.js';
import { type Filled, fillStore } from '../support/filled-store.js';
import { memberOf } from '../support/fleet-samples.js';
import { digestsOfPostgres, digestsOfSqlite } from '../support/moved-tables.js';
import { placeOf } from '../support/postgres-world.js';
import { expectAbout, type Pruned } from '../support/pruned.js';
import { approve } from '../support/review-samples.js';
import { createIds } from '../support/store-samples.js';
import { createManualClock, MANUAL_START_MS, SILENT } from '../support/store-world.js';
import { lastOf, makeWorld, type World } from './world.js';

/**
 * `npm run crash` and whoever asks (KIT_TEST_STORE_RUNS) fill the stores with 10,000 runs; the test
 * command with a share.
 */
const RUNS = Number(process.env.KIT_TEST_STORE_RUNS ?? (process.env.KIT_TEST_CRASH === 'full' ? 10_000 : 400));
const TIMEOUT_MS = 60_000 + RUNS * 60;
const ENDED_AT = new Date(MANUAL_START_MS).toISOString();
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;
const RETENTION = 'storage: { audit: { retention_days: 30 } }\n';

let world: World;
let database: TestDatabase;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(() => database.drop());

const workspace = (name: string, storage = ''): string =>
  world.files(name, {
    'workspace.yaml': `apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: ${name}, name: ${name} }\n${storage}`,
  });

const openLocal = (dir: string): Promise<Stores> =>
  openSqliteStores({
    stateDir: join(dir, '.kit'),
    clock: createManualClock(),
    ids: createIds(0xfe),
    faults: NO_FAULTS,
    log: SILENT,
    processStartOf: () => null,
  });
const openRemote = (): Promise<Stores> =>
  openPostgresStores({
    place: placeOf(database.url),
    poolSize: 2,
    maxOverflow: 2,
    ids: createIds(0xfd),
    faults: NO_FAULTS,
    log: SILENT,
  });
const env = () => ({ KIT_STORE_URL: database.url });

async function filledLocal(
  dir: string,
  largeChars?: number,
): Promise<{ readonly filled: Filled; readonly half: string; readonly rest: readonly unknown[] }> {
  const stores = await openLocal(dir);
  const filled = await fillStore({
    stores,
    ids: createIds(),
    runs: RUNS,
    endedAt: ENDED_AT,
    ...(largeChars === undefined ? {} : { largeChars }),
  });
  const half = (await stores.events.read({ limit: 500 })).nextCursor;
  const rest = (await stores.events.read({ after: half, limit: 1000 })).events;
  await stores.close();
  return { filled, half, rest };
}

/** Writes that such a process was heard of just now; null = nobody lives. */
async function member(dir: string, kind: 'server' | null): Promise<void> {
  const stores = await openLocal(dir);
  if (kind === null) await stores.serving.fleet.leave(memberOf().id);
  else await stores.serving.fleet.beat(memberOf({ kind }), YEAR_MS);
  await stores.close();
  const db = new Database(join(dir, '.kit', 'store.sqlite'), { timeout: 5000 });
  db.prepare('UPDATE fleet_members SET beat_at = ?').run(new Date().toISOString());
  db.close();
}

/** Kills a migration when it has told how far it is. */
async function killMidway(dir: string): Promise<void> {
  const live = world.start(['storage', 'migrate', dir, '--yes'], { env: env(), stdin: '' });
  await live.sees(/\d+% \d+\/\d+ copied/);
  live.child.kill('SIGKILL');
  expect((await live.ended).signal).toBe('SIGKILL');
}

describe('kit storage migrate', () => {
  it(
    `moves ${RUNS} runs, killed twice on the way`,
    async () => {
      const dir = workspace('moving');
      const { filled, half, rest } = await filledLocal(dir);
      const before = digestsOfSqlite(join(dir, '.kit'));

      const dry = await world.here(['storage', 'migrate', dir, '--dry-run', '--json'], { env: env() });
      expect(lastOf(dry)).toMatchObject({
        type: 'result',
        dry_run: true,
        state: 'new',
        tables: expect.arrayContaining([expect.objectContaining({ table: 'jobs', there: 0 })]),
      });
      expect(await database.query("SELECT 1 FROM pg_namespace WHERE nspname = 'kit'")).toEqual([]);
      const startedMs = performance.now();
      await killMidway(dir);
      await killMidway(dir);
      const done = await world.here(['storage', 'migrate', dir, '--yes', '--json'], { env: env() });
      const tookMs = performance.now() - startedMs;

      expect(done.stderr).toMatch(/100% /);
      expect(lastOf(done)).toMatchObject({ type: 'result', dry_run: false });
      expect(await digestsOfPostgres(database)).toEqual(before);
      expect(digestsOfSqlite(join(dir, '.kit'))).toEqual(before);
      const stores = await openRemote();
      expect((await stores.events.read({ after: half, limit: 1000 })).events).toEqual(rest);
      for (const { jobId, itemId } of filled.open.slice(0, 20)) {
        await stores.reviews.change(
          jobId,
          approve({ itemId, by: 'qa-1', ids: createIds(Number.parseInt(jobId.slice(-6), 16)) }),
        );
        expect(await stores.jobs.get(jobId)).toMatchObject({ status: 'pending' });
      }
      await stores.close();
      const again = await world.here(['storage', 'migrate', dir, '--yes'], { env: env() });
      expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('nothing to do')]);
      const status = await world.here(['storage', 'status', dir], { env: env() });
      expect(status.stdout).toMatch(
        /store\.sqlite holds runs .*: of them only what `kit storage migrate` has copied is listed/,
      );
      console.log(
        `storage migrate: ${RUNS} runs, killed twice, ${(tookMs / 1000).toFixed(1)} s; tables and blobs: ${Object.keys(before).length} digests equal`,
      );
    },
    TIMEOUT_MS,
  );

  it('refuses with exit 2, and writes nothing', async () => {
    const dir = workspace('refused');
    const refuse = async (
      code: string,
      says: RegExp,
      argv: readonly string[],
      over: NodeJS.ProcessEnv = {},
    ): Promise<void> => {
      const result = await world.here(['storage', 'migrate', dir, '--json', ...argv], {
        env: { ...env(), ...over },
        stdin: '',
      });
      expect([result.code, lastOf(result).code]).toEqual([2, code]);
      expect(`${lastOf(result).message} ${lastOf(result).hint}`).toMatch(says);
    };

    await refuse('KIT_MIGRATE_TARGET', /storage\.runtime/, ['--yes'], { KIT_STORE_URL: '' });
    await refuse('KIT_MIGRATE_SOURCE', /store\.sqlite/, ['--yes']);
    const local = await openLocal(dir);
    await fillStore({ stores: local, ids: createIds(), runs: 20, endedAt: ENDED_AT });
    await local.close();
    await refuse('KIT_STORE_UNAVAILABLE', /KIT_STORE_URL/, ['--yes'], { KIT_STORE_URL: 'postgres://127.0.0.1:1/kit' });
    await refuse('KIT_USAGE', /--yes/, []);
    await member(dir, 'server');
    await refuse('KIT_MIGRATE_SOURCE', /in use: server host-1:42:0a0b0c0d \(pid 42 on host-1\).*Stop it/, [
      '--dry-run',
    ]);
    await refuse('KIT_MIGRATE_SOURCE', /in use: server/, ['--yes']);
    await member(dir, null);
    expect(await database.query("SELECT 1 FROM pg_namespace WHERE nspname = 'kit'")).toEqual([]);
    const remote = await openRemote();
    await remote.serving.fleet.beat(memberOf(), YEAR_MS);
    await refuse('KIT_MIGRATE_TARGET', /in use: worker host-1:42:0a0b0c0d \(pid 42 on host-1\).*Stop it/, [
      '--dry-run',
    ]);
    await refuse('KIT_MIGRATE_TARGET', /in use: worker/, ['--yes']);
    await remote.serving.fleet.leave(memberOf().id);
    await fillStore({ stores: remote, ids: createIds(7), runs: 20, endedAt: ENDED_AT });
    await remote.close();
    const before = await digestsOfPostgres(database);
    await refuse('KIT_MIGRATE_TARGET', /jobs 2\d/, ['--yes']);
    expect(await digestsOfPostgres(database)).toEqual(before);
  });
});

describe('kit storage prune', () => {
  const within = (figure: number, predicted: number): void => {
    expect(figure).toBeGreaterThan(predicted * 0.9);
    expect(figure).toBeLessThan(predicted * 1.1);
  };

  it(
    `removes ${RUNS} runs from SQLite, and the file is as small as it said`,
    async () => {
      const dir = workspace('pruned', RETENTION);
      const { filled } = await filledLocal(dir, 70_000);
      const path = join(dir, '.kit', 'store.sqlite');
      const count = (sql: string): number => {
        const db = new Database(path, { readonly: true });
        try {
          return Number(db.prepare(sql).pluck().get());
        } finally {
          db.close();
        }
      };
      const [events, sizeBefore] = [count('SELECT count(*) FROM events'), statSync(path).size];

      const rough = lastOf(await world.here(['storage', 'prune', dir, '--dry-run', '--json'])) as unknown as Pruned;
      const dry = lastOf(
        await world.here(['storage', 'prune', dir, '--dry-run', '--exact', '--json']),
      ) as unknown as Pruned;
      expect([count('SELECT count(*) FROM events'), count('SELECT count(*) FROM pruned_runs')]).toEqual([events, 0]);
      const done = lastOf(await world.here(['storage', 'prune', dir, '--yes', '--json'])) as unknown as Pruned;

      expectAbout(rough, dry);
      expect(dry).toMatchObject({
        dry_run: true,
        method: 'exact',
        runs: filled.ended.length,
        older_than_days: 30,
        decided_by: 'storage.audit.retention_days',
      });
      expect(done).toMatchObject({
        dry_run: false,
        runs: dry.runs,
        events: dry.events,
        rows: dry.rows,
        blobs: dry.blobs,
      });
      expect(done.bytes.blobs).toBe(dry.bytes.blobs);
      expect(count('SELECT count(*) FROM events')).toBe(events - dry.events);
      expect(count('SELECT count(*) FROM pruned_runs WHERE is_done = 1 AND is_open = 0')).toBe(dry.runs);
      expect(count("SELECT count(*) FROM gates WHERE status = 'pending'")).toBe(filled.open.length);
      const size = statSync(path).size;
      within(size, dry.database_bytes.after);
      const files = readdirSync(join(dir, '.kit', 'blobs'), { recursive: true, withFileTypes: true }).filter((file) =>
        file.isFile(),
      );
      console.log(
        `storage prune (SQLite): ${dry.runs} runs, ${dry.events} events; file ${sizeBefore} -> ${size}, predicted ${dry.database_bytes.after} (${((size / dry.database_bytes.after - 1) * 100).toFixed(1)} %); ${dry.blobs} blobs, ${files.length} left`,
      );
    },
    TIMEOUT_MS,
  );

  it(
    `removes ${RUNS} runs from PostgreSQL, and as many bytes as it said`,
    async () => {
      const dir = workspace('pruned-remote', RETENTION);
      const stores = await openRemote();
      await database.holdClock(MANUAL_START_MS);
      const filled = await fillStore({ stores, ids: createIds(), runs: RUNS, endedAt: ENDED_AT, largeChars: 70_000 });
      await stores.close();
      await database.elapse(YEAR_MS);
      const live = async (): Promise<number> => {
        let bytes = 0;
        for (const table of [
          'jobs',
          'steps',
          'events',
          'gates',
          'review_items',
          'decisions',
          'timers',
          'artifacts',
          'canary_results',
          'prompts',
          'usage_runs',
          'serve_access',
          'pruned_runs',
        ]) {
          const [row] = await database.query<{ bytes: string }>(
            `SELECT coalesce(sum(pg_column_size(t.*)), 0) AS bytes FROM kit.${table} AS t`,
          );
          bytes += Number(row?.bytes);
        }
        return bytes;
      };
      const events = async () =>
        Number((await database.query<{ n: string }>('SELECT count(*) AS n FROM kit.events'))[0]?.n);
      const [liveBefore, eventsBefore] = [await live(), await events()];

      const rough = lastOf(
        await world.here(['storage', 'prune', dir, '--dry-run', '--json'], { env: env() }),
      ) as unknown as Pruned;
      const dry = lastOf(
        await world.here(['storage', 'prune', dir, '--dry-run', '--exact', '--json'], { env: env() }),
      ) as unknown as Pruned;
      const done = lastOf(
        await world.here(['storage', 'prune', dir, '--yes', '--json'], { env: env() }),
      ) as unknown as Pruned;

      expectAbout(rough, dry);
      expect(dry).toMatchObject({ runs: filled.ended.length });
      expect(done).toMatchObject({
        runs: dry.runs,
        events: dry.events,
        rows: dry.rows,
        blobs: dry.blobs,
        bytes: { blobs: dry.bytes.blobs },
      });
      expect(await events()).toBe(eventsBefore - dry.events);
      const freed = liveBefore - (await live());
      within(freed, dry.bytes.database);
      console.log(
        `storage prune (PostgreSQL): ${dry.runs} runs, ${dry.events} events; ${freed} live bytes freed, predicted ${dry.bytes.database}`,
      );
    },
    TIMEOUT_MS,
  );

  it('asks first, and refuses an age below the retention, no number of days, and a place where nobody can be asked', async () => {
    const dir = workspace('careful', RETENTION);
    expect(lastOf(await world.here(['storage', 'prune', dir, '--json']))).toMatchObject({ type: 'result', runs: 0 });
    expect(existsSync(join(dir, '.kit'))).toBe(false);
    const local = await openLocal(dir);
    await fillStore({ stores: local, ids: createIds(), runs: 20, endedAt: ENDED_AT });
    await local.close();

    for (const [argv, says] of [
      [['--older-than-days', '29', '--yes'], 'at least 30'],
      [['--older-than-days', 'soon', '--yes'], 'not a whole number'],
      [[], 'nobody can be asked'],
    ] as const) {
      const refused = await world.here(['storage', 'prune', dir, '--json', ...argv], { stdin: '' });
      expect([refused.code, lastOf(refused)]).toMatchObject([
        2,
        { code: 'KIT_USAGE', message: expect.stringContaining(says) },
      ]);
    }
    const older = await world.here(['storage', 'prune', dir, '--older-than-days', '100000', '--yes', '--json']);
    expect(lastOf(older)).toMatchObject({ runs: 0, decided_by: '--older-than-days' });
  });
});
