import { describe, expect, it } from 'vitest';
import { NO_STORAGE } from '../../../src/app/storage/read-storage.js';
import { resolveStorage } from '../../../src/app/storage/resolve-storage.js';
import type { StorageEnvironment } from '../../../src/app/storage/storage-environment.js';
import { storeRows } from '../../../src/app/storage/store-rows.js';
import type { StorageBlock, StorageSettings } from '../../../src/domain/storage-settings.js';
import { interpolateText } from '../../../src/lib/interpolate-text.js';

const RUNS = 'postgres://ada:pass-word@db.example/runs';
const SHOWN = 'postgres://ada@db.example/runs';
const OTHER = 'postgres://db.example/other';
const variables: Readonly<Record<string, string>> = { RUNS, BUCKET: 'results' };
const resolve = (text: string) => interpolateText(text, (name) => variables[name]);
type Given = Partial<Omit<StorageEnvironment, 'resolve'>>;
const environmentOf = (given: Given) => ({ storeUrl: null, databaseUrl: null, storeBackend: null, ...given, resolve });
const rows = (settings: Partial<StorageSettings>, given: Given = {}, isShared = false) =>
  storeRows(
    { ...NO_STORAGE, ...settings },
    { ...environmentOf(given), hasArtifactStore: (plugin) => plugin === 's3', isShared },
  );
const shortRows = (settings: Partial<StorageSettings>, given: Given = {}) =>
  Object.fromEntries(
    rows(settings, given).map(({ store, backend, location, source }) => [store, `${backend} ${location} ${source}`]),
  );
const postgres = (url: string | null = null): StorageBlock => ({ backend: 'postgres', url });
const sqlite: StorageBlock = { backend: 'sqlite', url: null };

describe('rows of the stores', () => {
  it('are local by default, one for each store in a fixed order', () => {
    const found = rows({});
    expect(found.map(({ store }) => store)).toEqual([
      'runtime',
      'audit',
      'checkpoints',
      'artifacts',
      'memory',
      'fleet',
      'knowledge_bases',
    ]);
    for (const row of found)
      expect(row).toMatchObject({
        backend: 'sqlite',
        location: 'workspace-local',
        source: 'default',
        setting: null,
        error: null,
      });
  });

  it('are local where a block names sqlite beside a URL, which counts for nothing then', () => {
    const local = { backend: 'sqlite', url: OTHER } as const;
    const found = rows({ runtime: local, audit: local, memory: local, artifacts: { kind: 'database', ...local } });
    expect(found.map(({ backend, error }) => [backend, error])).toEqual(found.map(() => ['sqlite', null]));
  });

  it('follow storage.runtime, and show its URL without what is secret', () => {
    const found = rows({ runtime: postgres('${RUNS}') });
    for (const row of found)
      expect(row).toMatchObject({
        backend: 'postgres',
        location: SHOWN,
        source: 'storage.runtime',
        setting: 'storage.runtime.url',
      });
    expect(JSON.stringify(found)).not.toContain('pass-word');
  });

  it('name the block of a store that has one', () => {
    const runtime = postgres('${RUNS}');
    expect(
      shortRows({
        runtime,
        audit: postgres(),
        checkpoints: postgres('${RUNS}'),
        memory: postgres(OTHER),
        fleet: sqlite,
        knowledgeBases: 'postgres',
      }),
    ).toEqual({
      runtime: `postgres ${SHOWN} storage.runtime`,
      audit: `postgres ${SHOWN} storage.audit`,
      checkpoints: `postgres ${SHOWN} storage.checkpoints`,
      artifacts: `postgres ${SHOWN} storage.runtime`,
      memory: `postgres ${OTHER} storage.memory`,
      fleet: 'sqlite workspace-local storage.fleet',
      knowledge_bases: `postgres ${SHOWN} storage.knowledge_bases`,
    });
  });

  it('show a log that is copied elsewhere, and whose the journal of a shared role is', () => {
    const runtime = postgres('${RUNS}');
    const found = storeRows(
      { ...NO_STORAGE, runtime, audit: postgres(OTHER) },
      { ...environmentOf({}), hasArtifactStore: () => false, isShared: true },
    );
    expect(found.find(({ store }) => store === 'audit')).toMatchObject({
      location: OTHER,
      source: 'storage.audit',
      setting: 'storage.audit.url',
    });
    expect(found.find(({ store }) => store === 'checkpoints')).toMatchObject({ location: SHOWN, source: 'role' });
  });

  it('show a plugin that keeps artifacts, with the bucket resolved', () => {
    const artifacts = {
      kind: 'plugin',
      plugin: 's3',
      config: { bucket: '${BUCKET}', prefix: 'a', endpoint: 'https://u:pass-word@s3.example' },
    } as const;
    const [found] = rows({ artifacts }).filter(({ store }) => store === 'artifacts');
    expect(found).toMatchObject({
      backend: 's3',
      location: 's3://results/a at https://***@s3.example/',
      source: 'storage.artifacts',
    });
  });

  it.each([
    [
      'a runtime without a URL',
      'storage.runtime',
      { runtime: postgres() },
      {},
      ['runtime', 'audit', 'checkpoints', 'artifacts', 'memory', 'fleet', 'knowledge_bases'],
    ],
    [
      'a log in a file beside runs on a server',
      'storage.audit',
      { runtime: postgres('${RUNS}'), audit: sqlite },
      {},
      ['audit'],
    ],
    ['memory on a server that nobody names', 'storage.memory', { memory: postgres() }, {}, ['memory']],
    ['a variable that is not set', 'storage.fleet', { fleet: postgres('${MISSING}') }, {}, ['fleet']],
    [
      'an artifact store that nobody brings',
      'storage.artifacts',
      { artifacts: { kind: 'plugin', plugin: 'gcs', config: {} } },
      {},
      ['artifacts'],
    ],
    [
      'checkpoints with a variable that is not set, which the environment does not move',
      'storage.checkpoints',
      { checkpoints: postgres('${MISSING}') },
      { storeUrl: RUNS },
      ['checkpoints'],
    ],
    [
      'a URL that is none',
      'env',
      {},
      { storeUrl: 'pass-word' },
      ['runtime', 'audit', 'checkpoints', 'artifacts', 'memory', 'fleet', 'knowledge_bases'],
    ],
  ] as const)('mark %s as unresolved, and still show the others', (_, source, settings, given, unresolved) => {
    const found = rows(settings, given);
    expect(found.filter(({ backend }) => backend === 'UNRESOLVED').map(({ store }) => store)).toEqual(unresolved);
    for (const row of found) {
      if (row.backend === 'UNRESOLVED')
        expect(row).toMatchObject({ location: null, source, error: expect.stringMatching(/./) });
      else expect(row.error).toBeNull();
    }
    expect(JSON.stringify(found)).not.toMatch(/pass-word|db\.example\/other/);
  });
});

const PLACED = { databaseUrl: RUNS };
const at = (settings: Partial<StorageSettings>, given: Given) =>
  resolveStorage({ ...NO_STORAGE, ...settings }, environmentOf(given));

describe('variables that place the stores', () => {
  it('are KIT_STORE_URL, then DATABASE_URL, then the workspace', () => {
    expect(at({ runtime: postgres(OTHER) }, PLACED)).toMatchObject({ url: RUNS, setting: 'DATABASE_URL' });
    expect(at({}, { ...PLACED, storeUrl: OTHER })).toMatchObject({ url: OTHER, setting: 'KIT_STORE_URL' });
    expect(
      rows({ runtime: sqlite, audit: sqlite, memory: sqlite }, PLACED).map(
        ({ source, setting }) => `${source} ${setting}`,
      ),
    ).toEqual(Array(7).fill('env DATABASE_URL'));
  });

  it('let KIT_STORE_BACKEND keep everything local, whatever the workspace and DATABASE_URL say', () => {
    const settings = {
      runtime: postgres(OTHER),
      checkpoints: postgres(OTHER),
      audit: postgres(OTHER),
      memory: postgres(),
    };
    expect(at(settings, { ...PLACED, storeBackend: 'sqlite' })).toEqual({ backend: 'sqlite' });
    for (const row of rows(settings, { ...PLACED, storeBackend: 'sqlite' })) {
      expect(row).toMatchObject({ backend: 'sqlite', source: 'env', setting: 'KIT_STORE_BACKEND' });
    }
  });

  it('let KIT_STORE_BACKEND ask for postgres, whose URL the workspace holds', () => {
    expect(at({ runtime: { backend: 'sqlite', url: '${RUNS}' } }, { storeBackend: 'postgres' })).toMatchObject({
      backend: 'postgres',
      url: RUNS,
    });
    expect(() => at({}, { storeBackend: 'postgres' })).toThrow(
      'KIT_STORE_BACKEND names postgres, and no URL says where it is',
    );
  });

  it.each([
    ['another backend', { storeBackend: 'mysql' }, 'neither sqlite nor postgres'],
    ['sqlite beside a URL of kit', { storeBackend: 'sqlite', storeUrl: RUNS }, 'KIT_STORE_URL names a server'],
    [
      'a database of another kind',
      { databaseUrl: 'mysql://root:pass-word@db/app' },
      'DATABASE_URL is not a PostgreSQL URL',
    ],
    [
      'a password with a slash that nobody encoded',
      { storeUrl: 'postgres://kit:12/pass-word@db/kit' },
      'KIT_STORE_URL is not a PostgreSQL URL',
    ],
  ])('refuse %s without repeating it', (_, given, message) => {
    const refused = () => at({}, given);
    expect(refused).toThrow(
      expect.objectContaining({ code: 'KIT_STORE_UNAVAILABLE', message: expect.stringContaining(message) }),
    );
    expect(refused).not.toThrow('pass-word');
  });

  it('say how to keep a DATABASE_URL of another program apart', () => {
    expect(() => at({}, { databaseUrl: 'mysql://db/app' })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('KIT_STORE_BACKEND=sqlite') }),
    );
  });

  it('say `role` for a journal that no block places, in a process that shares its runs', () => {
    const of = (settings: Partial<StorageSettings>, isShared: boolean) =>
      rows(settings, {}, isShared).find(({ store }) => store === 'checkpoints')?.source;
    expect(of({ runtime: postgres(RUNS) }, true)).toBe('role');
    expect(of({ runtime: postgres(RUNS) }, false)).toBe('storage.runtime');
    expect(of({ runtime: postgres(RUNS), checkpoints: postgres() }, true)).toBe('storage.checkpoints');
  });
});
