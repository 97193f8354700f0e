import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { KitError } from '../../domain/errors.js';
import { FLEET_LISTED, type FleetRow } from '../fleet-row.js';
import { decodeHost, type JobRow } from '../job-row.js';
import { realPacing } from '../pacing.js';
import { isLeaseOver, type Observer } from '../recovery.js';
import { LIST_FLEET } from '../sql/fleet.js';
import { retryBusy } from '../sqlite/busy.js';
import { type Connection, openConnection } from '../sqlite/connection.js';
import { HELD_JOBS } from '../sqlite/sql/jobs.js';
import { FIND_META_TABLE, READ_META } from '../sqlite/sql/meta.js';
import { MOVE_COLUMNS, MOVE_COUNT, MOVE_PAGE } from '../sqlite/sql/move.js';
import type { SqlRunner } from '../sqlite/sql-runner.js';
import { refuseNewer } from '../store-meta.js';
import { livingAmong } from './living.js';
import { type Column, FIRST_MOVED_SCHEMA, type MovedTableSpec, type Row, SLICE_ROWS } from './tables.js';

/** A SQLite store that is read as it was at one moment, and never written. */
export interface MoveSource {
  readonly path: string;
  readonly blobs: string;
  readonly logId: string;
  readonly cursorKey: string;
  /** Columns of a table as the source has them: for a look at it while the target has none yet. */
  columns(spec: MovedTableSpec): readonly Column[];
  /**
   * Rows of a table, and bytes of their values. A table that this version did not have is empty.
   */
  size(spec: MovedTableSpec, columns: readonly Column[]): { readonly rows: number; readonly bytes: number };
  /** At most a slice of rows after a key, in its order. */
  page(spec: MovedTableSpec, columns: readonly Column[], after: Row | null): readonly Row[];
  /**
   * As the file is now, not as it was when it was opened. Throws KIT_MIGRATE_SOURCE for one that
   * somebody works on.
   */
  requireIdle(): Promise<void>;
  /** True when somebody has written to the file since it was opened. */
  hasChanged(): boolean;
  close(): void;
}

const NO_STORE_HINT = 'Name the workspace whose runs lie in SQLite, or its state directory with KIT_STATE_DIR.';

/** By whom it is judged whether somebody works on a store. */
export interface Watch {
  /** As it is when it is asked. */
  readonly observer: () => Observer;
  /** Who was heard of within this time lives. */
  readonly aliveMs: number;
}

/** Throws KIT_MIGRATE_SOURCE, KIT_STORE_NEWER, KIT_STORE_BUSY, KIT_STORE_UNAVAILABLE. */
export async function openMoveSource(stateDir: string, watch: Watch): Promise<MoveSource> {
  const path = join(stateDir, 'store.sqlite');
  if (!existsSync(path)) throw refused(`there is no store to migrate at ${path}`, NO_STORE_HINT);
  const connection = await openConnection({ path, mode: 'read', pacing: realPacing });
  try {
    // Everything below sees the file as it is now, however long that takes.
    const version = await retryBusy(realPacing, () => dataVersion(connection));
    connection.sql.exec('BEGIN');
    return assemble(connection, { path, stateDir, version, watch });
  } catch (error) {
    connection.close();
    throw error;
  }
}

const dataVersion = ({ sql }: Connection): number => Number(sql.pragma('data_version'));

interface Opened {
  readonly path: string;
  readonly stateDir: string;
  readonly version: number;
  readonly watch: Watch;
}

function assemble(connection: Connection, { path, stateDir, version, watch }: Opened): MoveSource {
  const { sql } = connection;
  const meta = (key: string): string => sql.get<{ value: string }>(READ_META, { key })?.value ?? '';
  if (sql.get(FIND_META_TABLE, {}) === undefined)
    throw refused(`${path} holds no runs: nothing was ever run there`, NO_STORE_HINT);
  refuseNewer(Number(meta('schema_version')), path);
  refuseBusy(sql, path, watch);
  if (Number(meta('schema_version')) < FIRST_MOVED_SCHEMA) throw tooOld(path, 'it does not say what its runs used');
  const known = (table: string): ReadonlySet<string> =>
    new Set(sql.all<{ name: string }>(MOVE_COLUMNS, { table }).map(({ name }) => name));
  const columnsOf = ({ table }: MovedTableSpec, columns: readonly Column[]): readonly string[] => {
    const there = known(table);
    const missing = columns.find(({ name, isRequired }) => isRequired && !there.has(name));
    if (there.size > 0 && missing !== undefined) throw tooOld(path, `${table} has no ${missing.name}`);
    return columns.map(({ name }) => name).filter((name) => there.has(name));
  };
  let isOpen = true;
  return {
    path,
    blobs: join(stateDir, 'blobs'),
    logId: meta('log_id'),
    cursorKey: meta('cursor_key'),
    columns: ({ table }) => [...known(table)].map((name) => ({ name, type: '', isRequired: false })),
    size(spec, columns) {
      const names = columnsOf(spec, columns);
      if (names.length === 0) return { rows: 0, bytes: 0 };
      return sql.get<{ rows: number; bytes: number }>(MOVE_COUNT(spec.table, names), {}) ?? { rows: 0, bytes: 0 };
    },
    page(spec, columns, after) {
      const names = columnsOf(spec, columns);
      if (names.length === 0) return [];
      const keys = Object.fromEntries(spec.key.map((name) => [name, after?.[name] ?? null]));
      return sql.all<Row>(MOVE_PAGE(spec, names, after !== null), {
        ...(after === null ? {} : keys),
        limit: SLICE_ROWS,
      });
    },
    async requireIdle() {
      const now = await openConnection({ path, mode: 'read', pacing: realPacing });
      try {
        await retryBusy(realPacing, () => refuseBusy(now.sql, path, watch));
      } finally {
        now.close();
      }
    },
    hasChanged() {
      if (isOpen) sql.exec('COMMIT');
      isOpen = false;
      return dataVersion(connection) !== version;
    },
    close: () => connection.close(),
  };
}

function refuseBusy(sql: SqlRunner, path: string, { observer, aliveMs }: Watch): void {
  const now = observer();
  refuseRunning(sql.all<JobRow>(HELD_JOBS, {}), now);
  // A store of before the fleet has no such table.
  if (sql.all(MOVE_COLUMNS, { table: 'fleet_members' }).length === 0) return;
  const rows = sql.all<FleetRow>(LIST_FLEET, { limit: FLEET_LISTED });
  const living = livingAmong(rows, now.now, aliveMs);
  if (living === null) return;
  const message = `${path} is in use: ${living.names}; what is written after the copy would be lost`;
  throw new KitError('KIT_MIGRATE_SOURCE', message, { hint: living.hint, data: { members: living.data } });
}

/** One that is over is copied as it stands, and taken over on the other side. */
function refuseRunning(held: readonly JobRow[], observer: Observer): void {
  const living = held.filter(
    (row) => !isLeaseOver({ holder: decodeHost(row.holder), leaseUntil: row.lease_until ?? '' }, observer),
  );
  if (living.length === 0) return;
  const ids = living.map(({ id }) => id);
  throw refused(
    `run ${ids.join(', ')} is being executed: what it writes after the copy would be lost`,
    'Let it end, or stop it with `kit stop`; stop servers of this workspace.',
    ids,
  );
}

const tooOld = (path: string, lacks: string): KitError =>
  refused(
    `${path} was written by a kit that is too old: ${lacks}`,
    'Open it once with this kit: KIT_STORE_BACKEND=sqlite kit status.',
  );

const refused = (message: string, hint: string, runs: readonly string[] = []): KitError =>
  new KitError('KIT_MIGRATE_SOURCE', message, { hint, ...(runs.length === 0 ? {} : { data: { runs: [...runs] } }) });
