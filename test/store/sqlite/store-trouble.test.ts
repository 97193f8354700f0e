import { copyFile, mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isStoreOutage } from '../../../src/worker/store-errors.js';
import { newJob, startedEvent } from '../../support/store-samples.js';
import { openSqliteWorld } from '../../support/store-world.js';

let stateDir: string;
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'kit-trouble-'));
});
afterEach(() => rm(stateDir, { recursive: true, force: true }));

const file = (): string => join(stateDir, 'store.sqlite');

/** A store with one run in it, closed. */
async function filled(runs = 1): Promise<string> {
  const world = await openSqliteWorld({ stateDir });
  const id = world.ids.jobId();
  await world.stores.jobs.insert(newJob(id), 'pending', [startedEvent(world.ids.uuid())]);
  for (let at = 1; at < runs; at++)
    await world.stores.jobs.insert(newJob(world.ids.jobId()), 'pending', [startedEvent(world.ids.uuid())]);
  await world.stores.close();
  return id;
}

it('a directory in place of the file is told as one', async () => {
  await mkdir(file(), { recursive: true });
  await expect(openSqliteWorld({ stateDir })).rejects.toMatchObject({
    code: 'KIT_STORE_UNAVAILABLE',
    message: expect.stringContaining('it is a directory'),
    hint: expect.stringContaining('KIT_STATE_DIR'),
  });
});

it.each([
  ['is gone', async () => rm(stateDir, { recursive: true })],
  [
    'is another file',
    async () => {
      await rename(file(), `${file()}.old`);
      await copyFile(`${file()}.old`, file());
    },
  ],
])('a write into a file that %s is refused, and the run is left as in an outage', async (what, remove) => {
  await filled();
  const { stores, ids } = await openSqliteWorld({ stateDir });
  await remove();
  const write = stores.jobs.insert(newJob(ids.jobId()), 'pending', [startedEvent(ids.uuid())]);
  const refused = await write.catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'KIT_STORE_GONE', message: expect.stringContaining(what) });
  expect(isStoreOutage(refused)).toBe(true);
  expect(stores.writing.trouble()).toBe('KIT_STORE_GONE');
  await stores.close();
});

it('an event whose payload is not JSON names itself', async () => {
  const id = await filled();
  const db = new Database(file());
  db.exec('DROP TRIGGER events_no_update');
  db.prepare(
    "UPDATE event_rows SET payload = 'no json' WHERE seq = 1 AND run = (SELECT ord FROM jobs WHERE id = ?)",
  ).run(id);
  db.close();
  const { stores } = await openSqliteWorld({ stateDir });
  await expect(stores.events.readRun(id, 0, 10)).rejects.toMatchObject({
    code: 'KIT_STORE_CORRUPT',
    message: `event 1 of run ${id} is damaged: its payload is not JSON`,
  });
  await stores.close();
});

it('damaged pages are KIT_STORE_CORRUPT for whoever reads them', async () => {
  const id = await filled(200);
  const db = new Database(file());
  db.pragma('wal_checkpoint(TRUNCATE)');
  const pages = db
    .prepare<[], { readonly pageno: number }>("SELECT pageno FROM dbstat WHERE name = 'event_rows'")
    .all()
    .map(({ pageno }) => pageno);
  const size = Number(db.pragma('page_size', { simple: true }));
  db.close();
  const handle = await open(file(), 'r+');
  for (const page of pages) await handle.write(Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size);
  await handle.close();
  const { stores } = await openSqliteWorld({ stateDir });
  await expect(stores.events.readRun(id, 0, 10)).rejects.toMatchObject({ code: 'KIT_STORE_CORRUPT', exitCode: 1 });
  await stores.close();
});
