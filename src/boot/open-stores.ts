import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readEnv } from '../app/read-env.js';
import type { OwnPlace } from '../app/storage/own-site.js';
import type { ArtifactPlace, StoragePlace } from '../app/storage/resolve-storage.js';
import { KitError } from '../domain/errors.js';
import { type FaultPoints, NO_FAULTS } from '../domain/faults.js';
import type { ArtifactBytes } from '../domain/ports/artifacts.js';
import type { FleetStore } from '../domain/ports/fleet.js';
import type { MemoryStore } from '../domain/ports/memory.js';
import type { Stores } from '../domain/ports/stores.js';
import type { Clock, Ids, Log } from '../domain/ports/system.js';
import { lazily } from '../lib/lazily.js';
import type { OpenAuditCopy } from '../store/audit/copier.js';
import type { ShowUpgrade } from '../store/migrations.js';
import type { ArtifactDatabase } from '../store/postgres/artifact-database.js';
import { boundHeap } from '../system/young-generation.js';

/**
 * Where a workspace keeps its runs and artifacts, with its state directory: SQLite lies there,
 * PostgreSQL does not need it.
 */
export interface StorePlace {
  readonly stateDir: string;
  readonly storage: StoragePlace;
  /** Where the log is copied to; null = nowhere. */
  readonly audit: OwnPlace | null;
  /** Where memory lies; null = with the runs. */
  readonly memory: StoragePlace | null;
  readonly artifacts: ArtifactPlace;
  /** Opens what `artifacts` names, when it is a plugin and the first artifact is put or read. */
  readonly openArtifactBytes: (place: PluginPlace) => Promise<ArtifactBytes>;
  /** Nothing of a run is kept there: few connections do. */
  readonly isWithoutRuns?: boolean;
}

/** Of a database that holds nothing of a run: a row every few seconds. */
const SMALL_POOL = { poolSize: 1, maxOverflow: 2 } as const;

/** One writes, one listens, one reads. */
const LEAST_CONNECTIONS = 3;

type PluginPlace = Extract<ArtifactPlace, { readonly kind: 'plugin' }>;

/**
 * A store that is kept apart from the one of the runs, and killed at its fault points: `kit doctor
 * --crash` alone.
 */
export interface ScratchStore {
  /** The schema that stands for `kit` on PostgreSQL. */
  readonly schema: string;
  readonly faults: FaultPoints;
}

export interface StoreParts {
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly processStartOf: (pid: number) => string | null;
  /** Absent: the store of the runs, and nothing happens at a fault point. */
  readonly scratch?: ScratchStore | undefined;
  /** Absent: nobody watches. */
  readonly showUpgrade?: ShowUpgrade;
}

/**
 * The stores of this process: each place is opened once and closed with the app. Only this file
 * knows which kinds there are.
 */
export interface StoreOpener {
  /**
   * Makes the store where there is none, and copies its log from then on where it is copied. Throws
   * KIT_STORE_UNAVAILABLE, KIT_STORE_NEWER, KIT_STORE_BUSY; also for a database of `storage.audit`
   * that answers and cannot be used. One that does not answer is waited for in the background.
   */
  open(place: StorePlace): Promise<Stores>;
  /**
   * Null where nothing was ever run: looking for a run must not make a store. One that cannot be
   * written is opened to be read, and this is said.
   */
  openExisting(place: StorePlace): Promise<Stores | null>;
  /**
   * The rows of the fleet, which lie in `fleet` (`storage.fleet`); makes their store where there is
   * none. Throws as `open` does.
   */
  openFleet(place: StorePlace, fleet: StoragePlace): Promise<FleetStore>;
  /**
   * What is remembered; null where nothing ever was: looking makes no store. Throws as `open` does.
   */
  openMemory(place: StorePlace): Promise<MemoryStore | null>;
  close(): Promise<void>;
}

export function createStoreOpener(parts: StoreParts): StoreOpener {
  const opened = new Map<string, Promise<Stores>>();
  const artifactDatabases = new Map<string, Promise<ArtifactDatabase>>();
  const openDatabase: OpenDatabase = async (place) => {
    const opening =
      artifactDatabases.get(place.url) ??
      import('../store/postgres/artifact-database.js').then(({ openArtifactDatabase }) => openArtifactDatabase(place));
    artifactDatabases.set(place.url, opening);
    return opening;
  };
  const take = (asked: StorePlace): Promise<Stores> => {
    // What is thrown away is copied nowhere.
    const place = parts.scratch === undefined ? asked : { ...asked, audit: null };
    const key = keyOf(place);
    const opening = opened.get(key) ?? openStores(parts, place, openDatabase);
    opened.set(key, opening);
    return opening;
  };
  const remembering = new Map<string, Stores>();
  const takeExisting = async (place: StorePlace): Promise<Stores | null> =>
    opened.has(keyOf(place)) || (await isThere(place, parts.scratch?.schema)) ? take(place) : null;
  /** The stores of the runs, with the memory that lies elsewhere in the place of their own. */
  const rememberingIn = (place: StorePlace, stores: Stores): Stores => {
    const { memory } = place;
    if (memory === null || parts.scratch !== undefined) return stores;
    // The same object each time: what is cached of stores is cached by it.
    const key = JSON.stringify([keyOf(place), keyOf(holderOf(memory, place))]);
    const known = remembering.get(key);
    if (known !== undefined) return known;
    const made: Stores = { ...stores, memory: lazily(async () => (await take(holderOf(memory, place))).memory) };
    remembering.set(key, made);
    return made;
  };
  /**
   * Once a process: what can never hold the copy is refused before anything is written, as far as
   * it answers.
   */
  const judged = new Set<string>();
  const judge = async (place: StorePlace, audit: OwnPlace): Promise<void> => {
    const { probeAudit } = await import('../store/postgres/audit/probe-audit.js');
    if (await probeAudit(audit)) await (await take(place)).audit?.check();
  };
  return {
    open: async (place) => {
      const key = keyOf(place);
      if (place.audit !== null && parts.scratch === undefined && !judged.has(key)) await judge(place, place.audit);
      judged.add(key);
      const stores = await take(place);
      if (stores.writing.refused !== undefined) throw stores.writing.refused;
      stores.audit?.start();
      // One that cannot be had is refused here, before anything is written.
      if (place.memory !== null && parts.scratch === undefined) await take(holderOf(place.memory, place));
      return rememberingIn(place, stores);
    },
    openFleet: async (place, fleet) => (await take(holderOf(fleet, place))).serving.fleet,
    openExisting: async (place) => {
      // Also where no store is: what is wrong with the settings is said by whoever is asked first.
      if (place.storage.backend === 'postgres') poolOf(parts.env, place);
      const stores = await takeExisting(place);
      return stores === null ? null : rememberingIn(place, stores);
    },
    openMemory: async (place) =>
      (await takeExisting(place.memory === null ? place : holderOf(place.memory, place)))?.memory ?? null,
    close: async () => {
      // A store that could not be opened was refused where it was asked for; there is nothing of it
      // to close.
      for (const opening of [...opened.values(), ...artifactDatabases.values()])
        await (await opening.catch(() => null))?.close();
    },
  };
}

/**
 * The store of the runs, or one of their own: then rows of a fleet, or what is remembered, are all
 * that is kept there.
 */
function holderOf(own: StoragePlace, place: StorePlace): StorePlace {
  const { storage, stateDir } = place;
  if (own.backend === storage.backend && siteOf(storage, stateDir) === siteOf(own, stateDir)) return place;
  return { ...place, storage: own, audit: null, memory: null, artifacts: { kind: 'database' }, isWithoutRuns: true };
}

const siteOf = (storage: StoragePlace, stateDir: string): string =>
  storage.backend === 'sqlite' ? resolve(stateDir) : storage.url;

const keyOf = ({ storage, stateDir, audit, artifacts }: StorePlace): string =>
  JSON.stringify([storage.backend, siteOf(storage, stateDir), audit?.url ?? null, artifacts]);

type OpenDatabase = (place: Extract<StoragePlace, { readonly backend: 'postgres' }>) => Promise<ArtifactDatabase>;

/** Undefined: they lie with the runs; those of a scratch store always do. */
function artifactBytesOf(
  { scratch }: StoreParts,
  { artifacts, openArtifactBytes }: StorePlace,
  openDatabase: OpenDatabase,
): (() => Promise<ArtifactBytes>) | undefined {
  switch (artifacts.kind) {
    case 'database':
      return undefined;
    case 'plugin':
      return () => openArtifactBytes(artifacts);
    case 'postgres':
      return scratch === undefined ? () => openDatabase(artifacts.place) : undefined;
  }
}

async function openStores(parts: StoreParts, place: StorePlace, openDatabase: OpenDatabase): Promise<Stores> {
  // From here on a process may carry out runs, or read long logs.
  boundHeap('runs');
  const { storage, stateDir, audit: auditPlace } = place;
  const artifactBytes = artifactBytesOf(parts, place, openDatabase);
  const { clock, ids, log, processStartOf, scratch, showUpgrade } = parts;
  const faults = scratch?.faults ?? NO_FAULTS;
  const audit = auditPlace === null ? undefined : await openAudit(parts, auditPlace);
  const options = { ids, faults, log, artifactBytes, audit, showUpgrade };
  if (storage.backend === 'sqlite') {
    const { openSqliteStores } = await import('../store/sqlite/open-sqlite-stores.js');
    return openSqliteStores({ ...options, stateDir: resolve(stateDir), clock, processStartOf, mayReadOnly: true });
  }
  const { openPostgresStores } = await import('../store/postgres/open-postgres-stores.js');
  return openPostgresStores({ ...options, ...poolOf(parts.env, place), place: storage, schema: scratch?.schema });
}

/** Throws KIT_ENV_INVALID for numbers of connections that are none, or too few. */
function poolOf(
  env: NodeJS.ProcessEnv,
  { isWithoutRuns }: StorePlace,
): { readonly poolSize: number; readonly maxOverflow: number } {
  const { values } = readEnv(env);
  const countOf = (name: string): number => Number(values[name]);
  const pool =
    isWithoutRuns === true
      ? SMALL_POOL
      : { poolSize: countOf('KIT_STORE_POOL_SIZE'), maxOverflow: countOf('KIT_STORE_MAX_OVERFLOW') };
  if (pool.poolSize + pool.maxOverflow < LEAST_CONNECTIONS) {
    throw new KitError(
      'KIT_ENV_INVALID',
      `KIT_STORE_POOL_SIZE and KIT_STORE_MAX_OVERFLOW come to less than ${LEAST_CONNECTIONS} connections`,
      {
        hint: 'One writes, one listens and the others read: raise one of them.',
        data: { variables: ['KIT_STORE_POOL_SIZE', 'KIT_STORE_MAX_OVERFLOW'] },
      },
    );
  }
  return pool;
}

async function openAudit({ ids, log }: StoreParts, place: OwnPlace): Promise<OpenAuditCopy> {
  const [{ Copier }, { AuditDatabase }, { realPacing }] = await Promise.all([
    import('../store/audit/copier.js'),
    import('../store/postgres/audit/audit-database.js'),
    import('../store/pacing.js'),
  ]);
  return (source) =>
    new Copier({ source, target: new AuditDatabase({ place, ids, faults: NO_FAULTS }), log, pacing: realPacing });
}

async function isThere({ storage, stateDir }: StorePlace, schema: string | undefined): Promise<boolean> {
  if (storage.backend === 'sqlite') return existsSync(join(stateDir, 'store.sqlite'));
  const { hasPostgresStore } = await import('../store/postgres/open-postgres-stores.js');
  return hasPostgresStore(storage, schema);
}
