import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { NO_FAULTS } from '../../../src/domain/faults.js';
import type { Stores } from '../../../src/domain/ports/stores.js';
import type { Clock } from '../../../src/domain/ports/system.js';
import { type Pacing, realPacing } from '../../../src/store/pacing.js';
import { openPostgresStores } from '../../../src/store/postgres/open-postgres-stores.js';
import { openSqliteStores } from '../../../src/store/sqlite/open-sqlite-stores.js';
import { createClock } from '../../../src/system/clock.js';
import { createIds } from '../../../src/system/ids.js';
import { processStartOf, readWorkerHost } from '../../../src/system/worker-host.js';
import { createDatabase } from '../components/postgres.js';
import { placeOf } from '../postgres-world.js';
import { SILENT } from '../store-world.js';
import { type Counter, countPostgres, countSqlite } from './count-statements.js';

export const BACKENDS = ['sqlite', 'postgres'] as const;
export type Backend = (typeof BACKENDS)[number];

/** Rows of each table, and bytes of their values. */
export type Stored = Readonly<Record<string, { readonly rows: number; readonly bytes: number }>>;

/** A store of its own. */
export interface OwnStore {
  readonly directory: string;
  readonly stores: Stores;
  close(): Promise<void>;
}

/** One whose statements are counted, and what lies in it. */
export interface GuardedStore extends OwnStore {
  readonly counter: Counter;
  stored(): Promise<Stored>;
  /** Pages that commits have written so far, an index's among them; null where no file tells. */
  pages(): number | null;
}

/** Turns of the event loop in which nothing is under way: a run alone has settled. */
const QUIET_TURNS = 3;

/** An artifact is written to files between two writes of its run, however slow the disk is. */
const isAtFiles = (): boolean => process.getActiveResourcesInfo().some((kind) => /^(?:FSReq|CloseReq)/.test(kind));

/**
 * The clock by which a store paces its writes stands still: no commit is cut short because the
 * machine is busy, and what is done once a second is not done. A commit begins when nothing is in
 * flight: what a run hands in between two effects is in it, however long it asks for stops.
 */
const still = ({ inFlight }: Pick<Counter, 'inFlight'>): Pacing => ({
  ...realPacing,
  nowMs: () => 0,
  sleep: (ms, signal) => (ms < 1000 ? realPacing.sleep(ms, signal) : new Promise(() => undefined)),
  nextTurn: async () => {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet = inFlight() === 0 && !isAtFiles() ? quiet + 1 : 0)
      await realPacing.nextTurn();
  },
});

/**
 * The clock of whoever runs on such a store: to them all of it is one moment, and what is done once
 * a second is done in the first run alone, however long the machine takes for the next.
 */
export function stillClock(): Clock {
  const { now, sleep } = createClock();
  const atMs = now();
  return { now: () => atMs, sleep };
}

/** Say nothing of a run. */
const ASIDE = ['store_meta', 'leads', 'fleet_members', 'limiters'];

const host = readWorkerHost();

/** Opens a store as every process has it. */
export async function openOwnStore(backend: Backend): Promise<OwnStore> {
  const { dispose, ...opened } = await open(backend, realPacing);
  return { ...opened, close: dispose };
}

/** Opens one whose statements are counted from now on. */
export async function openGuardedStore(backend: Backend): Promise<GuardedStore> {
  const counter = backend === 'sqlite' ? countSqlite() : countPostgres();
  const { dispose, ...opened } = await open(backend, still(counter));
  return {
    ...opened,
    counter,
    close: async () => {
      counter.stop();
      await dispose();
    },
  };
}

async function open(backend: Backend, pacing: Pacing) {
  const directory = await mkdtemp(join(tmpdir(), 'kit-guard-'));
  const shared = { ids: createIds(host), faults: NO_FAULTS, log: SILENT, parts: { pacing } };
  const { close, ...opened } = await (backend === 'sqlite' ? openSqlite(directory, shared) : openPostgres(shared));
  const dispose = async (): Promise<void> => {
    await close();
    await rm(directory, { recursive: true, force: true });
  };
  return { ...opened, directory, dispose };
}

type Shared = Pick<Parameters<typeof openPostgresStores>[0], 'ids' | 'faults' | 'log'> & {
  readonly parts: { readonly pacing: Pacing };
};

async function openSqlite(directory: string, shared: Shared) {
  const stateDir = join(directory, '.kit');
  const stores = await openSqliteStores({ ...shared, stateDir, clock: createClock(), processStartOf });
  const sight = new Database(join(stateDir, 'store.sqlite'), { readonly: true });
  const all = (sql: string) => sight.prepare(sql).all() as readonly Row[];
  return {
    stores,
    stored: async (): Promise<Stored> => {
      const tables = all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
      return Object.fromEntries(tables.map(({ name }) => [name, sizeOf(all(`SELECT * FROM ${name}`))]));
    },
    // A frame of the log is a page and its header; nothing is checkpointed while it is this short.
    pages: () => Math.floor(statSync(join(stateDir, 'store.sqlite-wal')).size / 4120),
    close: async (): Promise<void> => {
      sight.close();
      await stores.close();
    },
  };
}

async function openPostgres(shared: Shared) {
  const database = await createDatabase();
  const stores = await openPostgresStores({ ...shared, place: placeOf(database.url), poolSize: 2, maxOverflow: 2 });
  return {
    stores,
    stored: async (): Promise<Stored> => {
      const tables = await database.query<{ name: string }>(
        "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'kit'",
      );
      const sizes = tables.map(async ({ name }) => [name, sizeOf(await database.query(`SELECT * FROM kit.${name}`))]);
      return Object.fromEntries(await Promise.all(sizes));
    },
    pages: () => null,
    close: async (): Promise<void> => {
      await stores.close();
      await database.drop();
    },
  };
}

type Row = Readonly<Record<string, unknown>>;

const sizeOf = (rows: readonly Row[]) => ({
  rows: rows.length,
  bytes: rows.reduce((sum, row) => sum + Object.values(row).reduce<number>((of, value) => of + bytesOf(value), 0), 0),
});

/** Of a value as it was given to the store; numbers count alike in both. */
const bytesOf = (value: unknown): number => {
  if (value === null) return 0;
  return value instanceof Uint8Array ? value.length : typeof value === 'string' ? Buffer.byteLength(value) : 8;
};

/** What a run has added: its tables, in the order of their names. */
export function addedTo(before: Stored, after: Stored) {
  const names = Object.keys(after)
    .filter((name) => !ASIDE.includes(name))
    .sort();
  const added = names.map((name) => ({
    name,
    rows: (after[name]?.rows ?? 0) - (before[name]?.rows ?? 0),
    bytes: (after[name]?.bytes ?? 0) - (before[name]?.bytes ?? 0),
  }));
  return {
    rows: Object.fromEntries(added.filter(({ rows }) => rows !== 0).map(({ name, rows }) => [name, rows])),
    bytes: added.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
