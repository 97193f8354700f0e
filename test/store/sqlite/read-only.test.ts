import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ErrorCode } from '../../../src/domain/error-registry.js';
import { KitError } from '../../../src/domain/errors.js';
import { newJob, startedEvent } from '../../support/store-samples.js';
import { openSqliteWorld } from '../../support/store-world.js';

let stateDir: string;
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'kit-read-'));
});
afterEach(() => rm(stateDir, { recursive: true, force: true }));

const without = (code: ErrorCode) => ({
  stateDir,
  parts: { fileSystemTypeOf: () => Promise.reject(new KitError(code, 'the store cannot be opened: no room')) },
});

async function filled(): Promise<string> {
  const world = await openSqliteWorld({ stateDir });
  const id = world.ids.jobId();
  await world.stores.jobs.insert(newJob(id), 'pending', [startedEvent(world.ids.uuid())]);
  await world.stores.close();
  return id;
}

it.each(['KIT_STORE_FULL', 'KIT_STORE_READ_ONLY'] as const)(
  'what takes no writes is read all the same, and each write is %s',
  async (code) => {
    const id = await filled();
    const { stores, ids } = await openSqliteWorld({ ...without(code), mayReadOnly: true });
    expect(await stores.jobs.get(id)).toMatchObject({ id });
    expect(stores.writing.refused).toMatchObject({ code });
    await expect(stores.jobs.insert(newJob(ids.jobId()), 'pending', [startedEvent(ids.uuid())])).rejects.toMatchObject({
      code,
    });
    await stores.close();
  },
);

it('is read without the files beside it where they cannot be made', async () => {
  const id = await filled();
  await mkdir(join(stateDir, 'store.sqlite-shm'));
  const { stores } = await openSqliteWorld({ ...without('KIT_STORE_FULL'), mayReadOnly: true });
  expect(await stores.jobs.get(id)).toMatchObject({ id });
  await stores.close();
});

it.each([
  ['who wants to write', { mayReadOnly: false }],
  ['nobody', {}],
])('is opened for %s as ever: not at all', async (_who, over) => {
  await filled();
  await expect(openSqliteWorld({ ...without('KIT_STORE_FULL'), ...over })).rejects.toMatchObject({
    code: 'KIT_STORE_FULL',
    message: 'the store cannot be opened: no room',
  });
});

it.each([
  ['is missing', 'KIT_STORE_FULL', async () => undefined],
  [
    'is of another schema',
    'KIT_STORE_READ_ONLY',
    () => spoil("UPDATE store_meta SET value = '1' WHERE key = 'schema_version'"),
  ],
  ['cannot be reached', 'KIT_STORE_UNAVAILABLE', filled],
] satisfies readonly [string, ErrorCode, () => Promise<unknown>][])(
  'is refused when it %s',
  async (_what, code, prepare) => {
    await prepare();
    await expect(openSqliteWorld({ ...without(code), mayReadOnly: true })).rejects.toMatchObject({ code });
  },
);

it('says where it can be read when it can be neither written nor read', async () => {
  await spoil('DROP TABLE store_meta');
  await expect(openSqliteWorld({ ...without('KIT_STORE_FULL'), mayReadOnly: true })).rejects.toMatchObject({
    message: expect.stringContaining('cannot be read where it lies either'),
    hint: expect.stringContaining('set KIT_STATE_DIR to it'),
  });
});

async function spoil(statement: string): Promise<void> {
  await filled();
  const db = new Database(join(stateDir, 'store.sqlite'));
  db.exec(statement);
  db.close();
}
