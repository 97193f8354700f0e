import { KitError } from '../../domain/errors.js';
import { NO_FAULTS } from '../../domain/faults.js';
import type {
  MovedTable,
  MovePlan,
  MoveProgress,
  MoveReport,
  MoveTable,
  StoreMove,
} from '../../domain/ports/store-move.js';
import type { Ids } from '../../domain/ports/system.js';
import type { PostgresPlace } from '../postgres/location.js';
import { migrate } from '../postgres/migrate.js';
import { SCHEMA } from '../postgres/schema.js';
import { IDENTITIES, MOVE_SEQUENCE } from '../postgres/sql/move.js';
import { BEGIN } from '../postgres/sql/session.js';
import type { Observer } from '../recovery.js';
import { DROP_META, SET_META } from '../sql/meta.js';
import { MOVED_KEY, MOVING_KEY, markKey } from '../store-meta.js';
import { copyBlobs, copyTable } from './copy.js';
import { leftLogins } from './left-logins.js';
import type { TableDigest } from './row-digest.js';
import { type MoveSource, openMoveSource } from './source.js';
import { blobEntries } from './source-blobs.js';
import { BLOBS, type Column, MOVED_TABLES } from './tables.js';
import {
  columnsOf,
  countsOf,
  holdsOthers,
  type Mark,
  type MoveTarget,
  openMoveTarget,
  type TargetState,
  takeMoveLock,
  targetState,
} from './target.js';
import { requireSame, sourceBlobs, sourceDigest, targetBlobs, targetDigest } from './verify.js';

export interface StoreMoveOptions {
  /** State directory that holds the SQLite store. */
  readonly stateDir: string;
  readonly place: PostgresPlace;
  readonly ids: Ids;
  /** Judges, as it is when it is asked, whether somebody executes a run of the source. */
  readonly observer: () => Observer;
  /** A server or worker that was heard of within this time works on its store. */
  readonly aliveMs: number;
  /** ISO 8601: noted in the target. */
  readonly now: () => string;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Opens both sides. Throws what `StoreMove.plan` throws. */
export async function openStoreMove(options: StoreMoveOptions): Promise<StoreMove> {
  const source = await openMoveSource(options.stateDir, options);
  try {
    const target = await openMoveTarget(options.place, options.aliveMs);
    return {
      plan: async () => ({ ...(await plan(source, target)), leftLogins: await leftLogins(options.stateDir) }),
      copy: async (onProgress) => ({
        ...(await copy({ ...options, source, target }, onProgress)),
        leftLogins: await leftLogins(options.stateDir),
      }),
      close: async () => {
        source.close();
        await target.close();
      },
    };
  } catch (error) {
    source.close();
    throw error;
  }
}

interface Both {
  readonly source: MoveSource;
  readonly target: MoveTarget;
}

interface Moving extends StoreMoveOptions, Both {}

async function plan(source: MoveSource, target: MoveTarget): Promise<Omit<MovePlan, 'leftLogins'>> {
  const state = await targetState(target, source.logId);
  const columns = await columnsOf(target.sql);
  if (state.kind === 'done') await requireUnchanged({ source, target }, state, columns);
  const thereOf = (table: string, rows: number): number =>
    state.kind === 'done' ? rows : state.kind === 'begun' ? (state.marks.get(table)?.rows ?? 0) : 0;
  const sized = (table: string, { rows, bytes }: { readonly rows: number; readonly bytes: number }): MoveTable => {
    const there = thereOf(table, rows);
    return { table, rows, there, toCopy: rows - there, bytes };
  };
  const tables = MOVED_TABLES.map((spec) =>
    sized(spec.table, source.size(spec, columns.get(spec.table) ?? source.columns(spec))),
  );
  const blobs = { rows: 0, bytes: 0 };
  for await (const { bytes } of blobEntries(source.blobs)) {
    blobs.rows += 1;
    blobs.bytes += bytes;
  }
  return {
    source: source.path,
    target: target.location,
    state: state.kind === 'empty' ? 'new' : state.kind,
    tables: [sized(BLOBS, blobs), ...tables],
  };
}

async function copy(moving: Moving, onProgress: MoveProgress): Promise<Omit<MoveReport, 'leftLogins'>> {
  const { source, target } = moving;
  const planned = await plan(source, target);
  const report = { source: source.path, target: target.location };
  const state = await targetState(target, source.logId);
  if (state.kind === 'done') {
    const tables = Object.entries(state.digests).map(([table, { rows, digest }]) => ({
      table,
      rows,
      copied: 0,
      digest,
    }));
    return { ...report, tables, sequences: {} };
  }
  await takeMoveLock(target, moving.sleep);
  // Again, right before the target is closed to everybody else: whoever came since works on one of
  // the two.
  await source.requireIdle();
  const marks = await begin(moving);
  const columns = await columnsOf(target.sql);
  const columnsOfTable = (table: string): readonly Column[] => columns.get(table) ?? [];
  const of = planned.tables.reduce((sum, { rows }) => sum + rows, 0);
  const copied = new Map<string, number>();
  const doneRows = new Map([...marks].map(([table, mark]) => [table, mark.rows]));
  const onRows = (table: string, rows: number): void => {
    doneRows.set(table, rows);
    onProgress({ doing: 'copy', table, rows: [...doneRows.values()].reduce((sum, n) => sum + n, 0), of });
  };
  const parts = { source, target, marks, onRows };
  copied.set(BLOBS, await copyBlobs(parts));
  for (const spec of MOVED_TABLES) copied.set(spec.table, await copyTable(parts, spec, columnsOfTable(spec.table)));
  const digests = await verified(moving, columns, (table, rows) => onProgress({ doing: 'verify', table, rows, of }));
  if (source.hasChanged()) {
    throw new KitError('KIT_MIGRATE_MISMATCH', `${source.path} was written to while it was copied`, {
      hint: 'Stop whatever uses the SQLite store and run `kit storage migrate` again: it goes on from what was copied, and says if it cannot.',
    });
  }
  const sequences = await finish(moving, digests);
  const tables: readonly MovedTable[] = [...digests].map(([table, { rows, digest }]) => ({
    table,
    rows,
    copied: copied.get(table) ?? 0,
    digest,
  }));
  return { ...report, tables, sequences };
}

/**
 * Gives an empty store the name and the key of the source, so that its cursors hold, and closes it
 * to everybody else.
 */
async function begin({ source, target, ids, now }: Moving): Promise<ReadonlyMap<string, Mark>> {
  const { sql } = target;
  await migrate({ sql, faults: NO_FAULTS, ids, schema: SCHEMA, isMove: true });
  await sql.exec(BEGIN);
  try {
    // Again, now that nobody else fills it.
    const state = await targetState(target, source.logId);
    if (state.kind === 'done') throw holdsOthers(target, [...(await countsOf(sql))]);
    if (state.kind === 'empty') {
      await sql.run(SET_META, { key: 'log_id', value: source.logId });
      await sql.run(SET_META, { key: 'cursor_key', value: source.cursorKey });
      await sql.run(SET_META, { key: MOVING_KEY, value: JSON.stringify({ from: source.path, begun_at: now() }) });
    }
    await sql.exec('COMMIT');
    return state.kind === 'begun' ? state.marks : new Map();
  } catch (error) {
    await sql.exec('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function verified(
  { source, target }: Both,
  columns: ReadonlyMap<string, readonly Column[]>,
  onTable: (table: string, rows: number) => void,
): Promise<ReadonlyMap<string, TableDigest>> {
  const digests = new Map<string, TableDigest>();
  let rows = 0;
  const check = (table: string, there: TableDigest, here: TableDigest): void => {
    requireSame(table, there, here);
    digests.set(table, here);
    rows += here.rows;
    onTable(table, rows);
  };
  check(BLOBS, await sourceBlobs(source), await targetBlobs(target));
  for (const spec of MOVED_TABLES) {
    const named = columns.get(spec.table) ?? [];
    check(spec.table, await sourceDigest(source, spec, named), await targetDigest(target, spec, named));
  }
  return digests;
}

/** One commit: the next numbers, and the store is open to everybody. */
async function finish(
  { target, now }: Moving,
  digests: ReadonlyMap<string, TableDigest>,
): Promise<Readonly<Record<string, number>>> {
  const { sql } = target;
  const sequences: Record<string, number> = {};
  await sql.exec(BEGIN);
  try {
    for (const { table, column } of await sql.all<{ table: string; column: string }>(IDENTITIES)) {
      sequences[`${table}.${column}`] = (await sql.get<{ next: number }>(MOVE_SEQUENCE(table, column)))?.next ?? 1;
    }
    await sql.run(SET_META, {
      key: MOVED_KEY,
      value: JSON.stringify({ at: now(), digests: Object.fromEntries(digests) }),
    });
    for (const table of digests.keys()) await sql.run(DROP_META, { key: markKey(table) });
    await sql.run(DROP_META, { key: MOVING_KEY });
    await sql.exec('COMMIT');
  } catch (error) {
    await sql.exec('ROLLBACK').catch(() => undefined);
    throw error;
  }
  // The planner's figures of a table that was just filled are those of an empty one.
  for (const table of digests.keys()) await sql.exec(`ANALYZE ${table}`);
  return sequences;
}

/** What was copied may have gone on in the target since; the source may not have. */
async function requireUnchanged(
  { source, target }: Both,
  state: Extract<TargetState, { readonly kind: 'done' }>,
  columns: ReadonlyMap<string, readonly Column[]>,
): Promise<void> {
  const compare = (table: string, found: TableDigest): void => {
    const moved = state.digests[table];
    if (moved?.rows === found.rows && moved.digest === found.digest) return;
    throw new KitError(
      'KIT_MIGRATE_TARGET',
      `${source.path} has changed since it was migrated: ${table} holds ${found.rows} rows, ${moved?.rows ?? 0} were copied`,
      {
        hint: `${target.location} has gone on by itself and takes no more rows. Migrate the SQLite store into another database, or leave it as it is.`,
        data: { table, found: found.rows, copied: moved?.rows ?? 0 },
      },
    );
  };
  compare(BLOBS, await sourceBlobs(source));
  for (const spec of MOVED_TABLES) compare(spec.table, await sourceDigest(source, spec, columns.get(spec.table) ?? []));
}
