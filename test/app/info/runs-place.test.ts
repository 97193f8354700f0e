import { describe, expect, it } from 'vitest';
import { runsPlaceOf } from '../../../src/app/info/runs-place.js';
import { NO_STORAGE } from '../../../src/app/storage/read-storage.js';
import { interpolateText } from '../../../src/lib/interpolate-text.js';

const URL = 'postgres://kit:secret@db/runs';
const SHOWN = 'postgres://kit@db/runs';

/** Where runs are looked for with these files, variables and settings. */
const placeOf = (
  held: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  runtime: (typeof NO_STORAGE)['runtime'] = null,
) =>
  runsPlaceOf(
    '/shop',
    { settings: { ...NO_STORAGE, runtime }, resolve: (text) => interpolateText(text, (name) => environment[name]) },
    {
      files: { sizeBytes: async (path) => (held.includes(path) ? 4096 : null) },
      environment,
      stateDirOf: (workspace) => environment.KIT_STATE_DIR || `${workspace}/.kit`,
    },
  );

const OWN = '/shop/.kit/store.sqlite';
const MOVED = '/state/store.sqlite';

describe('where runs are looked for', () => {
  it('is the file of the workspace, which hides nothing', async () => {
    expect(await placeOf([OWN])).toEqual({ location: '.kit/store.sqlite', setting: null, unread: null });
  });

  it('is a server, while a file holds runs: by a variable and by the workspace', async () => {
    expect(await placeOf([OWN], { KIT_STORE_URL: URL })).toEqual({
      location: SHOWN,
      setting: 'KIT_STORE_URL',
      unread: {
        ...{ file: '.kit/store.sqlite', bytes: 4096, isInStateDir: true },
        variables: 'KIT_STORE_URL= KIT_STORE_BACKEND=sqlite',
      },
    });
    expect(await placeOf([OWN], {}, { backend: 'postgres', url: URL })).toMatchObject({
      location: SHOWN,
      setting: 'storage.runtime.url',
      unread: { variables: 'KIT_STORE_BACKEND=sqlite' },
    });
    expect(await placeOf([], { KIT_STORE_URL: URL })).toMatchObject({ unread: null });
  });

  it('is another directory, while the one of the workspace holds runs', async () => {
    expect(await placeOf([OWN, MOVED], { KIT_STATE_DIR: '/state' })).toEqual({
      location: MOVED,
      setting: 'KIT_STATE_DIR',
      unread: { file: '.kit/store.sqlite', bytes: 4096, isInStateDir: false, variables: 'KIT_STATE_DIR=' },
    });
    expect(await placeOf([MOVED, OWN], { KIT_STATE_DIR: '/state', DATABASE_URL: URL })).toMatchObject({
      location: SHOWN,
      unread: { file: MOVED, isInStateDir: true, variables: 'KIT_STORE_BACKEND=sqlite' },
    });
    expect(await placeOf([OWN], { KIT_STATE_DIR: '/state', DATABASE_URL: URL })).toMatchObject({
      unread: { file: '.kit/store.sqlite', variables: 'KIT_STATE_DIR= KIT_STORE_BACKEND=sqlite' },
    });
  });

  it('is not a place where the settings cannot be honoured, and the file is told of all the same', async () => {
    expect(await placeOf([OWN], { KIT_STORE_BACKEND: 'postgres' })).toMatchObject({
      location: null,
      unread: { file: '.kit/store.sqlite' },
    });
  });
});
