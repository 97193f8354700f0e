import { behind, fail, failedLook, ok, skipped, warn } from '../../app/doctor/checks/check.js';
import { checkClock, checkPostgres, checkSqlite, type StoreExpectation } from '../../app/doctor/checks/stores.js';
import type { Probe } from '../../app/doctor/run-probes.js';
import { readEnv } from '../../app/read-env.js';
import { artifactPlace } from '../../app/storage/own-site.js';
import { type ReadStorage, readStorage } from '../../app/storage/read-storage.js';
import { postgresAt, resolvedText, type StoragePlace } from '../../app/storage/resolve-storage.js';
import { storageEnvironment } from '../../app/storage/storage-environment.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { PostgresFacts } from '../../domain/ports/store-facts.js';
import { postgresLocation } from '../../lib/show-url.js';
import { SCHEMA_VERSION } from '../../store/migrations.js';
import { nodeFiles } from '../../system/files.js';
import type { DoctorCheck } from '../../view/doctor-report.js';
import { type StorageReport, type StorageRow, UNRESOLVED } from '../../view/storage-report.js';
import type { BootSession } from '../parts.js';
import { storageOf } from '../runs-place.js';
import { stateDirOf } from '../state-dir.js';

/** What looking at the stores takes. */
export interface StoreParts {
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stateDir: string;
  readonly storage: () => Promise<StorageReport>;
  /** The opened workspace; rejects where it is broken. */
  readonly session: () => Promise<BootSession>;
  /** The file of SQLite is read through whatever its size. */
  readonly full: boolean;
}

/** Reading a larger file takes longer than a check may, and holds up all the others. */
const READ_UP_TO_BYTES = 256 * 1024 * 1024;

/** Whether the store of the runs is there with the schema that this kit writes. */
export async function isCurrentStore(parts: StoreParts): Promise<boolean> {
  const look = createStoreLook(parts);
  const place = await look.runtime();
  const { probeSqlite } = await import('../../store/sqlite/probe.js');
  const facts = place.backend === 'sqlite' ? await probeSqlite(parts.stateDir) : await look.postgres(place);
  return facts.schemaVersion === SCHEMA_VERSION;
}

/** One probe for each store of `kit storage status`, and one for the clock of the runs. */
export function storeProbes(parts: StoreParts): readonly Probe[] {
  const look = createStoreLook(parts);
  return [
    { id: 'store', isUnbounded: parts.full, look: async () => checksOf(parts, look) },
    {
      id: 'clock',
      look: async () => {
        const place = await look.runtime().catch(() => null);
        if (place === null) return [behind('clock')]; // the store says why
        const facts = place.backend === 'sqlite' ? null : await look.postgres(place).catch(() => 'unknown' as const);
        return [facts === 'unknown' ? behind('clock') : checkClock(facts, { leaseMs: await look.leaseMs() })];
      },
    },
  ];
}

type Server = Extract<StoragePlace, { readonly backend: 'postgres' }>;

interface StoreLook {
  runtime(): Promise<StoragePlace>;
  settings(): Promise<ReadStorage>;
  /** Of a workspace that cannot be read: what it would be unless written. */
  leaseMs(): Promise<number>;
  expectation(): Promise<StoreExpectation>;
  /** One look for each server, however many stores lie on it. */
  postgres(place: Server): Promise<PostgresFacts>;
}

const DEFAULT_LEASE_MS = DEFAULTS.ServerJobs.lease_seconds * 1000;

function createStoreLook({ workspace, env, session }: StoreParts): StoreLook {
  const servers = new Map<string, Promise<PostgresFacts>>();
  let read: Promise<ReadStorage> | undefined;
  const settings = (): Promise<ReadStorage> =>
    (read ??= readStorage(workspace, { files: nodeFiles, environment: env }));
  const leaseMs = (): Promise<number> =>
    session().then(
      (opened) => opened.workspace.server.jobs.leaseMs,
      () => DEFAULT_LEASE_MS,
    );
  return {
    settings,
    runtime: async () => {
      const { settings: written, resolve } = await settings();
      return (await storageOf(written, { env, resolve })).storage;
    },
    leaseMs,
    expectation: async () => {
      const { values } = readEnv(env);
      const connections = Number(values.KIT_STORE_POOL_SIZE) + Number(values.KIT_STORE_MAX_OVERFLOW);
      return { schemaVersion: SCHEMA_VERSION, connections, leaseMs: await leaseMs() };
    },
    postgres: (place) => {
      const known = servers.get(place.url) ?? lookAtServer(place);
      servers.set(place.url, known);
      return known;
    },
  };
}

async function lookAtServer(place: Server): Promise<PostgresFacts> {
  const { probePostgres } = await import('../../store/postgres/probe.js');
  return probePostgres(place);
}

async function checksOf(parts: StoreParts, look: StoreLook): Promise<readonly DoctorCheck[]> {
  const { stores, warnings } = await parts.storage();
  /** Stores by their place, with what was found there. */
  const seen = new Map<string, { readonly store: string; readonly isUsable: boolean }>();
  const checks: DoctorCheck[] = [];
  for (const row of stores) {
    const id = `store.${row.store}`;
    const key = `${row.backend} ${row.location}`;
    const first = seen.get(key);
    if (row.backend === UNRESOLVED)
      checks.push(fail(id, row.error ?? 'it cannot be had', `kit storage status   # then correct ${row.source}`));
    else if (first !== undefined) checks.push(first.isUsable ? ok(id, `with ${first.store}`) : behind(id));
    else {
      const found = await lookAtStore(parts, look, row).catch((error: unknown) => [failedLook(id, error)]);
      seen.set(key, { store: row.store, isUsable: found[0]?.status === 'ok' || found[0]?.status === 'warn' });
      checks.push(...found);
    }
  }
  return [...checks, ...warnings.map((words) => warn('storage', words, null))];
}

async function lookAtStore(parts: StoreParts, look: StoreLook, row: StorageRow): Promise<readonly DoctorCheck[]> {
  const id = `store.${row.store}`;
  if (row.backend === 'sqlite') {
    const { probeSqlite } = await import('../../store/sqlite/probe.js');
    return [
      checkSqlite(
        id,
        await probeSqlite(parts.stateDir, parts.full ? Number.POSITIVE_INFINITY : READ_UP_TO_BYTES),
        await look.expectation(),
      ),
    ];
  }
  if (row.backend !== 'postgres' || row.setting === 'storage.artifacts.database_url')
    return [await lookAtPlugin(parts, id)];
  const place = await serverOf(parts, look, row);
  return place === null
    ? [skipped(id, `${row.location} is not asked`)]
    : checkPostgres(id, await look.postgres(place), await look.expectation());
}

/** The server of a row: that of the runs, or the one that the store's own block names. */
async function serverOf({ env }: StoreParts, look: StoreLook, row: StorageRow): Promise<Server | null> {
  const runtime = await look.runtime();
  if (runtime.backend === 'postgres' && postgresLocation(runtime.url) === row.location) return runtime;
  const { settings, resolve } = await look.settings();
  const block = row.store === 'knowledge_bases' || row.store === 'runtime' ? null : settings[row.store];
  if (block === null || !('url' in block) || block.url === null) return null;
  const setting = `storage.${row.store}.url`;
  const place = postgresAt(
    resolvedText(block.url, { setting, environment: storageEnvironment(env, resolve) }),
    setting,
  );
  return place.backend === 'postgres' ? place : null;
}

const NOWHERE = '0'.repeat(64);

/** Bytes alone lie there: it has no schema of a store. */
async function lookAtDatabase(place: Server, id: string): Promise<DoctorCheck> {
  const { openArtifactDatabase } = await import('../../store/postgres/artifact-database.js');
  const database = await openArtifactDatabase(place);
  try {
    await database.get(NOWHERE);
    return ok(id, 'the database of artifacts answers');
  } finally {
    await database.close();
  }
}

/** Asks for something that nobody ever kept: an answer proves address and credentials. */
async function lookAtPlugin({ session, env }: StoreParts, id: string): Promise<DoctorCheck> {
  const { workspace, plugins, credentials, storageEnvironment } = await session();
  const place = artifactPlace(workspace.storage, storageEnvironment);
  if (place.kind === 'database') return skipped(id, 'artifacts lie with the runs');
  if (place.kind === 'postgres') return lookAtDatabase(place.place, id);
  const { openArtifactBytes } = await import('../artifact-bytes.js');
  await (
    await openArtifactBytes(place, {
      host: plugins,
      credentials,
      root: workspace.root,
      stateDir: stateDirOf(workspace.root, env),
    })
  ).get(NOWHERE);
  return ok(id, `${place.plugin} answers`);
}
