import { expect, it } from 'vitest';
import { NO_STORAGE } from '../../../src/app/storage/read-storage.js';
import { assertSharedCheckpoints } from '../../../src/app/storage/shared-checkpoints.js';
import type { StorageBlock, StorageSettings } from '../../../src/domain/storage-settings.js';
import { interpolateText } from '../../../src/lib/interpolate-text.js';

const RUNS = 'postgres://kit:pass-word@db.example/runs';
const resolve = (text: string) => interpolateText(text, (name) => (name === 'RUNS' ? RUNS : undefined));
const at = (settings: Partial<StorageSettings>, storeUrl: string | null = null) =>
  assertSharedCheckpoints({ ...NO_STORAGE, ...settings }, { storeUrl, databaseUrl: null, storeBackend: null, resolve });
const postgres = (url: string | null = null): StorageBlock => ({ backend: 'postgres', url });
const runtime = postgres('${RUNS}');

it('is the database of the runs where no block says it, and tells so at the start', () => {
  expect(at({ runtime })).toMatchObject({
    place: { url: RUNS },
    source: 'role',
    notice: expect.stringContaining('journal there too'),
  });
  expect(at({}, RUNS)).toMatchObject({ place: { url: RUNS }, source: 'role', setting: 'KIT_STORE_URL' });
});

it('is what a block says that names the database of the runs', () => {
  expect(at({ runtime, checkpoints: postgres() })).toMatchObject({
    place: { url: RUNS },
    source: 'storage.checkpoints',
    notice: null,
  });
  expect(at({ runtime, checkpoints: postgres('postgres://other@db.example:5432/runs') })).toMatchObject({
    place: { url: RUNS },
    notice: null,
  });
});

it.each([
  ['another server', { runtime, checkpoints: postgres('postgres://kit:pass-word@db.example/other') }, null],
  ['a local file', { runtime, checkpoints: { backend: 'sqlite', url: null } }, null],
  [
    'the server of before, from which the environment moved the runs',
    { runtime, checkpoints: runtime },
    'postgres://db.example/moved',
  ],
] as const)('refuses %s with exit 2 and the line to paste', (_, settings, storeUrl) => {
  expect(() => at(settings, storeUrl)).toThrow(
    expect.objectContaining({
      code: 'KIT_STORE_UNAVAILABLE',
      exitCode: 2,
      message: expect.stringContaining('storage.checkpoints names another database'),
      hint: 'Remove storage.checkpoints, or write: storage: { checkpoints: { backend: postgres } }',
    }),
  );
  expect(() => at(settings, storeUrl)).not.toThrow('pass-word');
});

it('says what is wrong with the runtime itself where that names no database', () => {
  expect(() => at({ runtime: postgres('${MISSING}') })).toThrow('storage.runtime.url needs MISSING');
});
