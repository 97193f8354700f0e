import { expect, it } from 'vitest';
import { artifactPlace } from '../../../src/app/storage/own-site.js';
import { NO_STORAGE } from '../../../src/app/storage/read-storage.js';
import { journalSite, resolveStorage } from '../../../src/app/storage/resolve-storage.js';
import type { ArtifactsBlock, StorageBlock, StorageSettings } from '../../../src/domain/storage-settings.js';
import { interpolateText } from '../../../src/lib/interpolate-text.js';

const RUNS = 'postgres://db.example/runs';
const variables: Readonly<Record<string, string>> = { RUNS };
const resolve = (text: string) => interpolateText(text, (name) => variables[name]);
const at = (settings: Partial<StorageSettings>, storeUrl: string | null = null) =>
  resolveStorage({ ...NO_STORAGE, ...settings }, { storeUrl, databaseUrl: null, storeBackend: null, resolve });
const journalAt = (settings: Partial<StorageSettings>, storeUrl: string | null = null) =>
  journalSite({ ...NO_STORAGE, ...settings }, { storeUrl, databaseUrl: null, storeBackend: null, resolve });
const artifactsAt = (settings: Partial<StorageSettings>, storeUrl: string | null = null) =>
  artifactPlace({ ...NO_STORAGE, ...settings }, { storeUrl, databaseUrl: null, storeBackend: null, resolve });
const postgres = (url: string | null = null): StorageBlock => ({ backend: 'postgres', url });
const sqlite: StorageBlock = { backend: 'sqlite', url: null };
const artifacts = (
  backend: 'sqlite' | 'postgres' | null,
  url: string | null = null,
): { readonly artifacts: ArtifactsBlock } => ({
  artifacts: { kind: 'database', backend, url },
});
const runs = { runtime: postgres('${RUNS}') };
const IN_RUNS = { backend: 'postgres', url: RUNS, setting: 'storage.runtime.url' };

it('is SQLite where nothing says anything else', () => {
  expect(at({})).toEqual({ backend: 'sqlite' });
  expect(at({ runtime: sqlite, checkpoints: sqlite, audit: sqlite })).toEqual({ backend: 'sqlite' });
  expect(at({ runtime: { backend: null, url: null } })).toEqual({ backend: 'sqlite' });
});

it('resolves the URL of the runtime, and follows it with journal and log', () => {
  expect(at(runs)).toEqual(IN_RUNS);
  expect(at({ runtime: { backend: null, url: '${RUNS}' } })).toEqual(IN_RUNS);
  expect(at({ ...runs, checkpoints: postgres(), audit: postgres(RUNS) })).toEqual(IN_RUNS);
});

it('takes the URL of the environment before that of the workspace', () => {
  const elsewhere = 'postgres://db.example/other';

  expect(at(runs, elsewhere)).toEqual({ backend: 'postgres', url: elsewhere, setting: 'KIT_STORE_URL' });
  expect(at({ ...runs, audit: postgres(RUNS) }, elsewhere)).toMatchObject({ url: elsewhere });
});

it.each([
  ['postgres without a URL', { runtime: postgres() }, null, 'no URL says where'],
  ['a variable that is not set', { runtime: postgres('${MISSING}') }, null, 'needs MISSING'],
  [
    'a URL of the journal that nothing defines',
    { ...runs, checkpoints: postgres('${MISSING}') },
    null,
    'storage.checkpoints.url needs MISSING',
  ],
  ['artifacts in PostgreSQL beside runs in SQLite', artifacts('postgres'), null, 'storage.artifacts'],
  ['artifacts in SQLite beside runs in PostgreSQL', { ...runs, ...artifacts('sqlite') }, null, 'storage.artifacts'],
  [
    'a URL of artifacts that nothing defines',
    { ...runs, ...artifacts('postgres', '${MISSING}') },
    null,
    'storage.artifacts.database_url needs MISSING',
  ],
] as const)('refuses %s with exit 2', (_, settings, storeUrl, message) => {
  const refused = () => [at(settings, storeUrl), artifactsAt(settings, storeUrl)];

  expect(refused).toThrow(
    expect.objectContaining({ code: 'KIT_STORE_UNAVAILABLE', exitCode: 2, message: expect.stringContaining(message) }),
  );
  // No URL is repeated: it may hold a password.
  expect(refused).not.toThrow('db.example');
});

it.each([
  ['elsewhere', { ...runs, checkpoints: postgres('postgres://kit:pass-word@db.example/other') }, null, 'postgres'],
  ['in SQLite beside runs in PostgreSQL', { ...runs, checkpoints: sqlite }, null, 'postgres'],
  ['in PostgreSQL beside runs in SQLite', { checkpoints: postgres('${RUNS}') }, null, 'sqlite'],
  [
    'where it is while the environment moves the runs',
    { ...runs, checkpoints: postgres('${RUNS}') },
    'postgres://db.example/other',
    'postgres',
  ],
] as const)('keeps a journal that is wanted %s with the runs, and says so', (_, settings, storeUrl, backend) => {
  expect(at(settings, storeUrl)).toMatchObject({ backend });
  const { warning, place } = journalAt(settings, storeUrl);
  expect(place).toEqual(at(settings, storeUrl));
  expect(warning).toContain('the journal is kept with the runs');
  expect(warning).toContain(`checkpoints: { backend: ${backend} }`);
  expect(warning).not.toMatch(/pass-word|db\.example/);
});

it('says nothing of a journal that is wanted where the runs are', () => {
  expect(journalAt({ ...runs, checkpoints: postgres() }).warning).toBeNull();
  expect(journalAt({}).warning).toBeNull();
});

it('keeps artifacts with the runs, and lets a block name that database', () => {
  expect(at({ ...artifacts(null) })).toEqual({ backend: 'sqlite' });
  expect(at({ ...artifacts('sqlite') })).toEqual({ backend: 'sqlite' });
  expect(at({ ...runs, ...artifacts('postgres', '${RUNS}') })).toEqual(IN_RUNS);
  expect(at({ ...artifacts('sqlite') }, RUNS)).toMatchObject({ url: RUNS });
  for (const block of [null, artifacts('sqlite').artifacts])
    expect(artifactsAt({ artifacts: block })).toEqual({ kind: 'database' });
  expect(artifactsAt({ ...runs, ...artifacts('postgres', '${RUNS}') })).toEqual({ kind: 'database' });
});

it('keeps bytes of artifacts in a database of their own, beside runs of either kind', () => {
  const url = 'postgres://kit@db.example/artifacts';
  const own = { kind: 'postgres', place: { backend: 'postgres', url, setting: 'storage.artifacts.database_url' } };

  expect(artifactsAt({ ...runs, ...artifacts('postgres', url) })).toEqual(own);
  expect(artifactsAt({ ...artifacts('postgres', url) })).toEqual(own);
  expect(at({ ...artifacts('postgres', url) })).toEqual({ backend: 'sqlite' });
  // The environment moves them with everything else.
  expect(artifactsAt({ ...artifacts('postgres', url) }, RUNS)).toEqual({ kind: 'database' });
});

it('leaves the bytes of artifacts to a plugin, also where the environment moves the database', () => {
  const s3: ArtifactsBlock = { kind: 'plugin', plugin: 's3', config: { bucket: 'results' } };

  expect(at({ artifacts: s3 }, RUNS)).toMatchObject({ backend: 'postgres', url: RUNS });
  expect(artifactsAt({ artifacts: s3 }, RUNS)).toEqual(s3);
});
