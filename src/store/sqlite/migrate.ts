import { randomBytes } from 'node:crypto';
import { KitError } from '../../domain/errors.js';
import type { FaultPoints } from '../../domain/faults.js';
import type { Ids } from '../../domain/ports/system.js';
import {
  estimateMs,
  MIGRATIONS,
  SCHEMA_VERSION,
  type ShowUpgrade,
  type UpgradeShown,
  withUpgradeShown,
} from '../migrations.js';
import type { Pacing } from '../pacing.js';
import { CURSOR_KEY_BYTES, refuseNewer, type StoreMeta } from '../store-meta.js';
import { BUSY_LIMIT_MS, retryBusy } from './busy.js';
import { SCHEMA } from './generated/schema.js';
import { SQLITE_MIGRATIONS } from './migrations/index.js';
import { CREATE_META, FIND_META_TABLE, INSERT_META, READ_META, SET_META } from './sql/meta.js';
import type { SqlRunner } from './sql-runner.js';

export interface MigrateDeps {
  readonly sql: SqlRunner;
  readonly faults: FaultPoints;
  readonly ids: Ids;
  readonly pacing: Pacing;
  /** Of the file, as a person knows it. */
  readonly place: string;
  readonly showUpgrade?: ShowUpgrade | undefined;
}

/** A second process waits as many times longer as one upgrade is estimated to take. */
const PATIENCE = 20;

/**
 * Brings the schema up to this build, in one transaction. Two processes that start at once: one
 * waits for the other's write lock, for as long as an upgrade may take, and then finds nothing to
 * do. Throws KIT_STORE_NEWER, KIT_STORE_BUSY.
 */
export async function migrate(deps: MigrateDeps): Promise<StoreMeta> {
  const { sql, pacing, place } = deps;
  const from = await retryBusy(pacing, () => versionOf(sql));
  if (from !== SCHEMA_VERSION) {
    const isOld = from > 0 && from < SCHEMA_VERSION;
    const bytes = isOld ? Number(sql.pragma('page_count')) * Number(sql.pragma('page_size')) : 0;
    const upgrade = { place, bytes, estimateMs: estimateMs(bytes) };
    const limitMs = Math.max(BUSY_LIMIT_MS, PATIENCE * upgrade.estimateMs);
    await withUpgradeShown(upgrade, deps.showUpgrade, (at) => retryBusy(pacing, () => applyMissing(deps, at), limitMs));
  }
  return retryBusy(pacing, () => metaOf(sql));
}

/** Of a store that is up to date. */
export const metaOf = (sql: SqlRunner): StoreMeta => ({
  logId: required(sql, 'log_id'),
  cursorKey: Buffer.from(required(sql, 'cursor_key'), 'hex'),
});

function applyMissing({ sql, faults, ids }: MigrateDeps, at: UpgradeShown['at']): void {
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
    else migrateFrom(from, sql, at);
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

/** What takes as long as there are rows. */
const MOVES_ROWS = /^(?:INSERT|UPDATE|DELETE|DROP TABLE|ALTER TABLE|CREATE (?:UNIQUE )?INDEX)\b/;

/** Statement by statement: the process shows nothing while it waits for one. */
function migrateFrom(from: number, sql: SqlRunner, at: UpgradeShown['at']): void {
  const missing = MIGRATIONS.filter(({ number }) => number > from);
  const statements = missing.flatMap(({ number }) => statementsOf(SQLITE_MIGRATIONS[number]));
  const of = statements.filter((statement) => MOVES_ROWS.test(statement)).length;
  let done = 0;
  at(done, of);
  for (const statement of statements) {
    sql.exec(statement);
    if (MOVES_ROWS.test(statement)) at(++done, of);
  }
}

/** Each begins a line with a capital; what a trigger does is indented, and END closes it. */
export function statementsOf(migration: string): readonly string[] {
  return migration
    .trim()
    .split(/(?<=;)\n+(?!END;)(?=[A-Z])/)
    .filter((statement) => statement !== '');
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
