import { expect, it } from 'vitest';
import { auditSite } from '../../../src/app/storage/own-site.js';
import { NO_STORAGE } from '../../../src/app/storage/read-storage.js';
import type { StorageEnvironment } from '../../../src/app/storage/storage-environment.js';
import type { StorageBlock, StorageSettings } from '../../../src/domain/storage-settings.js';
import { interpolateText } from '../../../src/lib/interpolate-text.js';

const RUNS = 'postgres://kit:pass-word@db.example/runs';
const LOG = 'postgres://kit:pass-word@log.example/log';
const variables: Readonly<Record<string, string>> = { RUNS, LOG };
const resolve = (text: string) => interpolateText(text, (name) => variables[name]);
const at = (settings: Partial<StorageSettings>, given: Partial<Omit<StorageEnvironment, 'resolve'>> = {}) =>
  auditSite(
    { ...NO_STORAGE, ...settings },
    { storeUrl: null, databaseUrl: null, storeBackend: null, ...given, resolve },
  );
const postgres = (url: string | null = null): StorageBlock => ({ backend: 'postgres', url });
const sqlite: StorageBlock = { backend: 'sqlite', url: null };
const runtime = postgres('${RUNS}');

it.each([
  ['no block', { runtime }, {}],
  ['a block without a URL', { runtime, audit: postgres() }, {}],
  [
    'a block that names the database of the runs by another user and other parameters',
    { runtime, audit: postgres('postgres://log@DB.example:5432/runs?sslmode=require') },
    {},
  ],
  ['local runs and no block', {}, {}],
  ['local runs and a local log', { audit: sqlite }, {}],
  ['local runs and a local log beside a URL that is not used', { audit: { ...sqlite, url: '${LOG}' } }, {}],
  ['a URL of the environment, which moves the log too', { audit: postgres('${LOG}') }, { storeUrl: RUNS }],
  [
    'KIT_STORE_BACKEND=sqlite, which keeps everything local',
    { runtime, audit: postgres('${LOG}') },
    { storeBackend: 'sqlite' },
  ],
  ['KIT_STORE_BACKEND=postgres over a log that names sqlite', { runtime, audit: sqlite }, { storeBackend: 'postgres' }],
] as const)('keeps the log with the runs for %s', (_, settings, given) => {
  expect(at(settings, given).own).toBeNull();
});

it.each([
  ['beside runs on a server', { runtime, audit: postgres('${LOG}') }, {}],
  ['beside local runs', { audit: postgres('${LOG}') }, {}],
  ['for a URL without a backend', { audit: { backend: null, url: '${LOG}' } }, {}],
  [
    'where KIT_STORE_BACKEND=postgres takes the URLs of the workspace',
    { runtime, audit: postgres('${LOG}') },
    { storeBackend: 'postgres' },
  ],
] as const)('copies the log to another database %s', (_, settings, given) => {
  expect(at(settings, given)).toMatchObject({
    own: { backend: 'postgres', url: LOG, setting: 'storage.audit.url' },
    source: 'storage.audit',
  });
});

it.each([
  [
    'a local file beside runs on a server',
    { runtime, audit: sqlite },
    'a log of many machines cannot lie in a local file',
  ],
  ['a server that nobody names', { audit: postgres() }, 'no URL says where it is'],
  ['a variable that is not set', { audit: postgres('${MISSING}') }, 'storage.audit.url needs MISSING'],
  ['a URL that is none', { audit: postgres('pass-word') }, 'storage.audit.url is not a PostgreSQL URL'],
] as const)('refuses %s with exit 2', (_, settings, message) => {
  expect(() => at(settings)).toThrow(
    expect.objectContaining({ code: 'KIT_STORE_UNAVAILABLE', exitCode: 2, message: expect.stringContaining(message) }),
  );
  expect(() => at(settings)).not.toThrow('pass-word');
});
