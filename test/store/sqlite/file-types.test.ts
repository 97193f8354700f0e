import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../src/domain/events.js';
import { addFunctions } from '../../../src/store/sqlite/functions.js';
import { NEWEST_OF_TYPE, PLACES_OF_TYPE, READ_TYPE } from '../../../src/store/sqlite/sql/events.js';
import {
  claimOf,
  endedEvent,
  eventOf,
  fenceOf,
  messageEvent,
  newJob,
  runEndWrite,
  startedEvent,
  startWrite,
  stepOf,
} from '../../support/store-samples.js';
import { openSqliteWorld, type SqliteWorld } from '../../support/store-world.js';

const RARE = 'input.rejected';
const DAY_MS = 24 * 60 * 60 * 1000;

describe('places of types in SQLite', () => {
  let world: SqliteWorld;
  let db: Database.Database;
  beforeEach(async () => {
    world = await openSqliteWorld();
    db = new Database(world.path, { timeout: 1000 });
    addFunctions(db);
  });
  afterEach(async () => {
    db.close();
    await world.dispose();
  });

  /** One event that is rare, and `others` that are not. */
  const write = async (others: number): Promise<void> => {
    const { stores, ids } = world;
    const events = Array.from({ length: others - 1 }, (_, n) => messageEvent(ids.uuid(), `said ${n}`));
    await stores.jobs.insert(newJob(ids.jobId()), 'pending', [startedEvent(ids.uuid()), ...events]);
    await stores.events.append(eventOf(ids.uuid(), RARE, { errors: [] }), {});
  };
  const rare = (): readonly number[] => positions(db.prepare('SELECT pos FROM events WHERE type = ? ORDER BY pos'));
  const positions = (statement: Database.Statement): readonly number[] =>
    statement.pluck().all(RARE) as readonly number[];
  const filed = (): number => db.prepare("SELECT pos FROM event_types WHERE type = ''").pluck().get() as number;
  const at = (events: readonly StoredEvent[]): readonly number[] => events.map(({ pos }) => pos);
  const pages = async (limit: number): Promise<readonly number[]> => {
    const found: number[] = [];
    let after = '';
    for (;;) {
      const page = await world.stores.events.read({ types: [RARE], after, limit });
      found.push(...at(page.events));
      after = page.nextCursor;
      if (!page.hasMore) return found;
    }
  };

  it('are filed for many events at once, and those behind them are found all the same', async () => {
    for (const others of [1, 100, 153, 1, 254, 255, 256, 700, 3]) {
      await write(others);
      const places = rare();

      expect(await pages(2)).toEqual(places);
      expect(at(await world.stores.events.readNewest({ types: [RARE], limit: 100 }))).toEqual(places.toReversed());
      expect(at(await world.stores.events.readNewest({ types: [RARE], limit: 2 }))).toEqual(
        places.toReversed().slice(0, 2),
      );
    }

    const behind = db.prepare('SELECT count(*) FROM events WHERE pos > ?').pluck().get(filed());
    expect(filed()).toBeGreaterThan(0);
    expect(behind).toBeLessThan(256);
    expect(db.prepare("SELECT type, pos FROM event_types WHERE type <> '' ORDER BY pos").all()).toEqual(
      db.prepare('SELECT type, pos FROM events WHERE pos <= ? ORDER BY pos').all(filed()),
    );
  });

  it.each([
    ['places', PLACES_OF_TYPE, 'event_types USING PRIMARY KEY (type=? AND pos>?)', '(rowid>?)'],
    ['events', READ_TYPE, 'event_types USING PRIMARY KEY (type=? AND pos>?)', '(rowid>?)'],
    ['the newest', NEWEST_OF_TYPE(''), 'filed USING PRIMARY KEY (type=? AND pos>? AND pos<?)', '(rowid>? AND rowid<?)'],
  ])('are read by index, and the log from their end on, without a sort: %s', (_, sql, filedBy, behindBy) => {
    const values = Object.fromEntries([...sql.matchAll(/@(\w+)/g)].map(([, name = '']) => [name, 1]));
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(values) as { detail: string }[];
    const text = plan.map(({ detail }) => detail).join('\n');

    expect(text).toContain(filedBy);
    expect(text).toContain(`SEARCH event_rows USING INTEGER PRIMARY KEY ${behindBy}`);
    expect(text).not.toMatch(/^SCAN |ORDER BY/m);
  });

  it('go with the events of a removed run', async () => {
    const { stores, ids } = world;
    const job = await stores.jobs.insert(newJob(ids.jobId()), 'pending', [startedEvent(ids.uuid())], claimOf());
    const events = Array.from({ length: 600 }, (_, n) => messageEvent(ids.uuid(), `said ${n}`, 'root'));
    await stores.runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'root'), events)]);
    await stores.runs.commit(fenceOf(job), [runEndWrite([endedEvent(ids.uuid())])]);
    await write(10);
    const count = db.prepare("SELECT count(*) FROM event_types WHERE type <> ''").pluck();
    expect(count.get()).toBe(512);

    await world.elapse(31 * DAY_MS);
    await stores.retention.prune({ olderThanDays: 30 }, () => undefined);

    expect(count.get()).toBe(0);
    expect(await pages(2)).toEqual(rare());
    expect(rare()).toHaveLength(1);
  });
});
