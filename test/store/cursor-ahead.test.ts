import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openPostgresWorld } from '../support/postgres-world.js';
import { claimOf, newJob, startedEvent } from '../support/store-samples.js';
import { openSqliteWorld, type StoreWorld } from '../support/store-world.js';

/** A store, and how its last events are lost, as by a backup that was made before them. */
interface SetBack {
  readonly world: StoreWorld;
  readonly setBack: () => Promise<void>;
}

const KINDS: readonly (readonly [string, () => Promise<SetBack>])[] = [
  [
    'SQLite',
    async () => {
      const world = await openSqliteWorld();
      const setBack = async () => {
        const db = new Database(world.path);
        db.exec('DROP TRIGGER events_no_delete; DELETE FROM event_rows WHERE pos > 2');
        db.close();
      };
      return { world, setBack };
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const world = await openPostgresWorld();
      const setBack = async () => {
        await world.database.query('ALTER TABLE kit.events DISABLE TRIGGER USER');
        await world.database.query(
          'DELETE FROM kit.events WHERE pos > (SELECT pos FROM kit.events ORDER BY pos OFFSET 1 LIMIT 1)',
        );
      };
      return { world, setBack };
    },
  ],
];

it.each(KINDS)(
  'a cursor that was issued before a log was set back is refused on %s, also when the log has grown again',
  async (_, open) => {
    const { world, setBack } = await open();
    try {
      const { stores, ids } = world;
      const insert = () =>
        stores.jobs.insert(
          newJob(ids.jobId()),
          'pending',
          [startedEvent(ids.uuid()), startedEvent(ids.uuid())],
          claimOf(),
        );
      const [first, second] = [await insert(), await insert()];
      const { events } = await stores.events.read({ limit: 10 });
      const [, kept, , lost] = events.map(({ cursor }) => cursor);
      expect(await stores.events.read({ limit: 10, after: lost ?? '' })).toMatchObject({
        events: [],
        nextCursor: lost,
      });

      await setBack();

      for (const jobId of [undefined, first.id, second.id]) {
        const ask = { limit: 10, ...(jobId === undefined ? {} : { jobId }) };
        await expect(stores.events.read({ ...ask, after: lost ?? '' })).rejects.toMatchObject({
          code: 'KIT_CURSOR_INVALID',
          hint: expect.stringContaining('set back'),
        });
        expect(await stores.events.read({ ...ask, after: kept ?? '' })).toMatchObject({ events: [], nextCursor: kept });
      }

      // The log grows beyond the place: another event lies there now.
      const third = await insert();
      await insert();
      for (const jobId of [undefined, first.id, third.id]) {
        const ask = { limit: 10, ...(jobId === undefined ? {} : { jobId }) };
        await expect(stores.events.read({ ...ask, after: lost ?? '' })).rejects.toMatchObject({
          code: 'KIT_CURSOR_INVALID',
          hint: expect.stringContaining('set back'),
        });
      }
      expect((await stores.events.read({ limit: 10, after: kept ?? '' })).events).toHaveLength(4);
      const head = await stores.events.headCursor();
      expect(await stores.events.read({ limit: 10, after: head })).toMatchObject({ events: [], nextCursor: head });
    } finally {
      await world.dispose();
    }
  },
);
