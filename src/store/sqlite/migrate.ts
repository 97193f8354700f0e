import { randomBytes } from 'node:crypto';
import { KitError } from '../../domain/errors.js';
import type { FaultPoints } from '../../domain/faults.js';
import type { Ids } from '../../domain/ports/system.js';
import { MIGRATIONS, SCHEMA_VERSION } from '../migrations.js';
import type { Pacing } from '../pacing.js';
import { CURSOR_KEY_BYTES, refuseNewer, type StoreMeta } from '../store-meta.js';
import { retryBusy } from './busy.js';
import { SCHEMA } from './generated/schema.js';
import { SQLITE_MIGRATIONS } from './migrations/index.js';
import { CREATE_META, FIND_META_TABLE, INSERT_META, READ_META, SET_META } from './sql/meta.js';
import type { SqlRunner } from './sql-runner.js';

export interface MigrateDeps {
  readonly sql: SqlRunner;
  readonly faults: FaultPoints;
  readonly ids: Ids;
  readonly pacing: Pacing;
}

/**
 * Brings the schema up to this build, in one transaction. Two processes that start at once: one
 * waits for the other's write lock and then finds nothing to do. Throws KIT_STORE_NEWER,
 * KIT_STORE_BUSY.
 */
export async function migrate(deps: MigrateDeps): Promise<StoreMeta> {
  const { sql, pacing } = deps;
  const isCurrent = await retryBusy(pacing, () => versionOf(sql) === SCHEMA_VERSION);
  if (!isCurrent) await retryBusy(pacing, () => applyMissing(deps));
  return retryBusy(pacing, () => ({
    logId: required(sql, 'log_id'),
    cursorKey: Buffer.from(required(sql, 'cursor_key'), 'hex'),
  }));
}

function applyMissing({ sql, faults, ids }: MigrateDeps): void {
  sql.exec('BEGIN IMMEDIATE');
  try {
    const from = versionOf(sql);
    refuseNewer(from);
    if (from === SCHEMA_VERSION) {
      sql.exec('ROLLBACK');
      return;
    }
    sql.exec(CREATE_META);
    // An empty store gets at once what all migrations would leave: a third of their time.
    if (from === 0) sql.exec(SCHEMA);
    else for (const { number } of MIGRATIONS) if (number > from) sql.exec(SQLITE_MIGRATIONS[number]);
    sql.run(SET_META, { key: 'schema_version', value: String(SCHEMA_VERSION) });
    sql.run(INSERT_META, { key: 'log_id', value: ids.uuid() });
    sql.run(INSERT_META, { key: 'cursor_key', value: randomBytes(CURSOR_KEY_BYTES).toString('hex') });
    faults.hit('store.migrate:before');
    sql.exec('COMMIT');
  } catch (error) {
    sql.exec('ROLLBACK');
    throw error;
  }
  faults.hit('store.migrate:after');
}

/** 0 = nothing is there yet. */
export function versionOf(sql: SqlRunner): number {
  if (sql.get(FIND_META_TABLE, {}) === undefined) return 0;
  return Number(sql.get<{ value: string }>(READ_META, { key: 'schema_version' })?.value ?? 0);
}

function required(sql: SqlRunner, key: string): string {
  const row = sql.get<{ value: string }>(READ_META, { key });
  if (row === undefined)
    throw new KitError('KIT_STORE_UNAVAILABLE', `the store holds no ${key}: it was damaged or made by hand`);
  return row.value;
}
