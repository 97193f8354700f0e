import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import type { ShowUpgrade, StoreUpgrade } from '../../../src/store/migrations.js';
import { MIGRATIONS } from '../../../src/store/migrations.js';
import { type Pacing, realPacing } from '../../../src/store/pacing.js';
import { addFunctions } from '../../../src/store/sqlite/functions.js';
import { statementsOf } from '../../../src/store/sqlite/migrate.js';
import { SQLITE_MIGRATIONS } from '../../../src/store/sqlite/migrations/index.js';
import { writeOldStore } from '../../support/old-store.js';
import { openSqliteWorld } from '../../support/store-world.js';

/** What is shown of the opening of a store of before, which holds so many bytes. */
async function shownOf(bytes: number) {
  const root = await mkdtemp(join(tmpdir(), 'kit-upgrade-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const stateDir = join(root, '.kit');
  writeOldStore(join(stateDir, 'store.sqlite'), bytes);
  const upgrades: StoreUpgrade[] = [];
  const steps: string[] = [];
  const showUpgrade: ShowUpgrade = async (upgrade) => {
    upgrades.push(upgrade);
    return { at: (done, of) => void steps.push(`${done}/${of}`), end: (outcome) => void steps.push(outcome) };
  };
  const world = await openSqliteWorld({ stateDir, showUpgrade });
  await world.reopen();
  await world.dispose();
  return { path: join(stateDir, 'store.sqlite'), upgrades, steps };
}

it('a large store of before is brought up to date where it is seen, once', async () => {
  const { path, upgrades, steps } = await shownOf(120_000_000);

  expect(upgrades).toEqual([{ place: path, bytes: expect.any(Number), estimateMs: 3_000 }]);
  const of = steps.length - 2;
  expect(steps).toEqual([...Array.from({ length: of + 1 }, (_, done) => `${done}/${of}`), 'done']);
  expect(of).toBeGreaterThan(4);
});

it('a small one is brought up to date without a word', async () => {
  expect(await shownOf(1_000_000)).toMatchObject({ upgrades: [], steps: [] });
});

it('a second process waits for the first as long as an upgrade may take', async () => {
  const root = await mkdtemp(join(tmpdir(), 'kit-upgrade-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const stateDir = join(root, '.kit');
  writeOldStore(join(stateDir, 'store.sqlite'), 60_000_000);
  const first = new Database(join(stateDir, 'store.sqlite'));
  onTestFinished(() => void first.close());
  first.exec('BEGIN IMMEDIATE');
  let nowMs = 0;
  const pacing: Pacing = {
    ...realPacing,
    nowMs: () => nowMs,
    sleep: async () => {
      nowMs += 1_000;
      if (nowMs === 30_000) first.exec('ROLLBACK');
    },
  };

  const world = await openSqliteWorld({ stateDir, parts: { pacing } });

  expect(nowMs).toBe(30_000);
  await world.dispose();
});

it.each(MIGRATIONS)('migration $number is cut into its statements', ({ number }) => {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  addFunctions(db, 'write');
  for (const earlier of MIGRATIONS) if (earlier.number < number) db.exec(SQLITE_MIGRATIONS[earlier.number]);
  const statements = statementsOf(SQLITE_MIGRATIONS[number]);

  // More than one in a text is refused here.
  for (const statement of statements) db.prepare(statement).run();

  expect(statements.join('\n').replaceAll(/\n+/g, '\n')).toBe(
    SQLITE_MIGRATIONS[number].trim().replaceAll(/\n+/g, '\n'),
  );
});
