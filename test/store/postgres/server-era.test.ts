import { expect, it } from 'vitest';
import { readEra } from '../../../src/store/postgres/server-era.js';
import { IS_AT_WORK } from '../../../src/store/postgres/sql/session.js';
import { createSqlRunner } from '../../../src/store/postgres/sql-runner.js';
import { createDatabase, withClient } from '../../support/components/postgres.js';

it.each([
  ['as it comes', ''],
  ['with names of time zones that stand for several', "SET datestyle TO 'SQL, DMY'; SET timezone TO 'Asia/Kolkata'"],
])('a process that is at work is known by its start, told %s', async (_, settings) => {
  const database = await createDatabase();
  try {
    await withClient(database.url, async (one) => {
      await one.query(settings);
      const { pid, since } = await readEra(createSqlRunner(one, new Map()));
      await withClient(database.url, async (other) => {
        await other.query(settings);
        const { get } = createSqlRunner(other, new Map());
        expect(await get(IS_AT_WORK, { pid, since })).toEqual({ is_at_work: true });
        // Its number was given again, or its start is not for this role to know.
        expect(await get(IS_AT_WORK, { pid, since: '1.000000' })).toEqual({ is_at_work: false });
        expect(await get(IS_AT_WORK, { pid, since: null })).toEqual({ is_at_work: true });
      });
    });
  } finally {
    await database.drop();
  }
});
