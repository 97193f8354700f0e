import { KitError } from '../../domain/errors.js';
import { FLEET_LISTED, type FleetRow } from '../fleet-row.js';
import { createConnections, type OwnConnection } from '../postgres/connections.js';
import { locationOf, type PostgresPlace } from '../postgres/location.js';
import { isMigrated } from '../postgres/migrate.js';
import { READ_METAS } from '../postgres/sql/meta.js';
import { COUNT_ROWS, FIND_FLEET_TABLE, MOVE_COLUMNS, TRY_LOCK_MOVE } from '../postgres/sql/move.js';
import { NOW } from '../postgres/sql/session.js';
import type { SqlRunner } from '../postgres/sql-runner.js';
import { LIST_FLEET } from '../sql/fleet.js';
import { MOVED_KEY, MOVING_KEY, markKey, refuseNewer } from '../store-meta.js';
import { livingAmong } from './living.js';
import { BLOBS, type Column, MOVED_TABLES, type Row } from './tables.js';

/** How far one table is. */
export interface Mark {
  /** The last row that was copied; null = none yet. */
  readonly after: Row | null;
  readonly rows: number;
}

/** What the database says of moves into it. */
export type TargetState =
  | { readonly kind: 'empty' }
  | { readonly kind: 'begun'; readonly marks: ReadonlyMap<string, Mark> }
  /** Digests by table, as they were when the move ended. */
  | {
      readonly kind: 'done';
      readonly digests: Readonly<Record<string, { readonly rows: number; readonly digest: string }>>;
    };

export interface MoveTarget {
  readonly location: string;
  /** What names it: `storage.runtime.url` or `KIT_STORE_URL`. */
  readonly setting: string;
  /** Who was heard of within this time works on it. */
  readonly aliveMs: number;
  readonly connection: OwnConnection;
  readonly sql: SqlRunner;
  close(): Promise<void>;
}

/** Throws KIT_STORE_UNAVAILABLE within 5 s where nothing answers. */
export async function openMoveTarget(place: PostgresPlace, aliveMs: number): Promise<MoveTarget> {
  const location = locationOf(place);
  const connections = await createConnections({ place, poolSize: 1, maxConnections: 1 });
  const connection = await connections.open().catch(async (error: unknown) => {
    await connections.close();
    throw error;
  });
  return {
    location,
    setting: place.setting,
    aliveMs,
    connection,
    sql: connection.sql,
    close: async () => {
      await connection.close();
      await connections.close();
    },
  };
}

/**
 * What lies in the target; writes nothing. Throws KIT_MIGRATE_TARGET where it is not for this
 * source, or somebody works on it.
 */
export async function targetState(target: MoveTarget, logId: string): Promise<TargetState> {
  const { sql, location } = target;
  if (!(await isMigrated(sql))) return { kind: 'empty' };
  const meta = new Map(
    (await sql.all<{ key: string; value: string }>(READ_METAS)).map(({ key, value }) => [key, value]),
  );
  refuseNewer(Number(meta.get('schema_version') ?? 0), `${location}, which ${target.setting} names,`);
  const counts = await countsOf(sql);
  const filled = [...counts].filter(([, rows]) => rows > 0);
  const isOurs = meta.get('log_id') === logId;
  const [moving, moved] = [meta.get(MOVING_KEY), meta.get(MOVED_KEY)];
  if (isOurs && moving !== undefined) {
    const marks = checkedMarks(meta, counts, location);
    await refuseLiving(target);
    return { kind: 'begun', marks };
  }
  // Written by `finish` alone.
  if (isOurs && moved !== undefined)
    return {
      kind: 'done',
      digests: (JSON.parse(moved) as { digests: Extract<TargetState, { kind: 'done' }>['digests'] }).digests,
    };
  if (filled.length > 0 || moving !== undefined) throw holdsOthers(target, filled);
  await refuseLiving(target);
  return { kind: 'empty' };
}

/**
 * A process that has the database open would claim a run as soon as its row is there, before its
 * journal is.
 */
async function refuseLiving({ sql, location, setting, aliveMs }: MoveTarget): Promise<void> {
  if ((await sql.get(FIND_FLEET_TABLE)) === undefined) return;
  const rows = await sql.all<FleetRow>(LIST_FLEET, { limit: FLEET_LISTED });
  const now = await sql.get<{ now: string }>(NOW);
  const living = livingAmong(rows, now?.now ?? '', aliveMs);
  if (living === null) return;
  throw new KitError('KIT_MIGRATE_TARGET', `${location} is in use: ${living.names}`, {
    hint: living.hint,
    data: { members: living.data, setting },
  });
}

/** Rows by table; a table that the target does not have yet is left out. */
export async function countsOf(sql: SqlRunner): Promise<ReadonlyMap<string, number>> {
  const there = new Set((await sql.all<{ table: string }>(MOVE_COLUMNS)).map(({ table }) => table));
  const counts = new Map<string, number>();
  for (const table of [BLOBS, ...MOVED_TABLES.map((spec) => spec.table)]) {
    if (there.has(table)) counts.set(table, (await sql.get<{ rows: number }>(COUNT_ROWS(table)))?.rows ?? 0);
  }
  return counts;
}

/**
 * Nobody else writes into a database that is being filled: rows without a mark are somebody's all
 * the same.
 */
function checkedMarks(
  meta: ReadonlyMap<string, string>,
  counts: ReadonlyMap<string, number>,
  location: string,
): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>();
  for (const [table, rows] of counts) {
    const text = meta.get(markKey(table));
    // Written by `writeSlice` alone.
    const mark = text === undefined ? { after: null, rows: 0 } : (JSON.parse(text) as Mark);
    if (mark.rows !== rows) {
      throw new KitError(
        'KIT_MIGRATE_TARGET',
        `${location} was changed since the migration into it began: ${table} holds ${rows} rows, ${mark.rows} were copied`,
        {
          hint: 'Remove the schema `kit` of that database (DROP SCHEMA kit CASCADE) and migrate again; the SQLite files are as they were.',
          data: { table, found: rows, copied: mark.rows },
        },
      );
    }
    marks.set(table, mark);
  }
  return marks;
}

export function holdsOthers(
  { location, setting }: MoveTarget,
  filled: readonly (readonly [string, number])[],
): KitError {
  const held = filled.map(([table, rows]) => `${table} ${rows}`).join(', ');
  return new KitError(
    'KIT_MIGRATE_TARGET',
    `${location} holds rows of another store: ${held === '' ? 'a migration that was begun from it' : held}`,
    {
      hint: `Name an empty database in ${setting}, or the one that an earlier migration of this store began to fill.`,
      data: { tables: Object.fromEntries(filled), setting },
    },
  );
}

/** Columns of every table of the target, by table. */
export async function columnsOf(sql: SqlRunner): Promise<ReadonlyMap<string, readonly Column[]>> {
  const columns = new Map<string, Column[]>();
  for (const { table, name, type, required } of await sql.all<{
    table: string;
    name: string;
    type: string;
    required: boolean;
  }>(MOVE_COLUMNS)) {
    const known = columns.get(table) ?? [];
    known.push({ name, type, isRequired: required });
    columns.set(table, known);
  }
  return columns;
}

const LOCK_TRIES = 25;
const LOCK_PAUSE_MS = 200;

/**
 * One at a time, and beside no write of anybody else; one that was killed lets go when the server
 * has seen it. Throws KIT_STORE_BUSY.
 */
export async function takeMoveLock({ sql, location }: MoveTarget, sleep: (ms: number) => Promise<void>): Promise<void> {
  for (let tries = 0; tries < LOCK_TRIES; tries++) {
    if ((await sql.get<{ taken: boolean }>(TRY_LOCK_MOVE))?.taken === true) return;
    await sleep(LOCK_PAUSE_MS);
  }
  throw new KitError('KIT_STORE_BUSY', `another migration into ${location} is under way, or somebody writes there`);
}
