import { randomBytes } from 'node:crypto';
import { KitError } from '../../domain/errors.js';
import type { FaultPoints } from '../../domain/faults.js';
import type { Ids, Log } from '../../domain/ports/system.js';
import { MIGRATIONS, SCHEMA_VERSION, type ShowUpgrade, type UpgradeShown, withUpgradeShown } from '../migrations.js';
import { type Pacing, realPacing } from '../pacing.js';
import { CURSOR_KEY_BYTES, MOVING_KEY, refuseMoving, refuseNewer, type StoreMeta } from '../store-meta.js';
import { beginMigration, MIGRATION_ANSWER_MS, type MigrationLocks, takeTables } from './migration-locks.js';
import { POSTGRES_MIGRATIONS } from './migrations/index.js';
import {
  CREATE_META,
  createSchemaOf,
  FIND_META_TABLE,
  FIND_SCHEMA,
  INSERT_META,
  READ_META,
  READ_METAS,
  SERVER_FACTS,
  SET_META,
} from './sql/meta.js';
import type { SqlRunner } from './sql-runner.js';

/**
 * pg_xact_status and xid8, by which the outcome of a broken commit is asked, are there since 13;
 * older ones are no longer maintained.
 */
const LEAST_VERSION = 130_000;

export interface MigrateDeps {
  readonly sql: SqlRunner;
  readonly faults: FaultPoints;
  readonly ids: Ids;
  /**
   * The database is to hold a copy of this store's log (`storage.audit`), and takes over its id and
   * key when it is made.
   */
  readonly copyOf?: StoreMeta | undefined;
  /** The caller is the one that fills the store (`kit storage migrate`). */
  readonly isMove?: boolean;
  readonly schema: string;
  /** Called when others are waited for; absent = nothing is. */
  readonly log?: Pick<Log, 'warn'>;
  /** Of the database, as a person knows it, with who shows an upgrade; absent = nobody does. */
  readonly shown?: { readonly place: string; readonly showUpgrade: ShowUpgrade | undefined };
  /** Between two tries; the real one unless a test replaces it. */
  readonly pacing?: Pick<Pacing, 'nowMs' | 'sleep'>;
}

/** In the meta of a copy: the id of the log that it copies. */
const COPY_OF = 'audit_of';

/**
 * Brings the schema up to this build, in one transaction under a lock of its own: of two processes
 * that start together one waits as long as it takes, and finds nothing to do. Nobody else reads or
 * writes the tables meanwhile. Throws KIT_STORE_NEWER, KIT_STORE_BUSY when others hold the store
 * for too long, and KIT_STORE_UNAVAILABLE for a server that cannot hold the store, for one that is
 * being filled, and for a copy of a log, in which no runs are kept.
 */
export async function migrate(deps: MigrateDeps): Promise<StoreMeta> {
  const { sql, copyOf } = deps;
  await requireServer(sql);
  const from = await versionOf(sql);
  if (from !== SCHEMA_VERSION) {
    const isShown = deps.shown !== undefined && from > 0 && from < SCHEMA_VERSION;
    const bytes = isShown ? await diskBytes(sql) : 0;
    const upgrade = { place: deps.shown?.place ?? '', bytes, estimateMs: null };
    await withUpgradeShown(upgrade, deps.shown?.showUpgrade, (at) => applyMissing(deps, at));
  }
  if (copyOf === undefined) await refuseCopy(sql);
  else await findCopy(sql, copyOf.logId);
  // As they are at one moment: what a move changes while the store is opened is refused now, or at
  // the first write.
  const meta = new Map(
    (await sql.all<{ key: string; value: string }>(READ_METAS)).map(({ key, value }) => [key, value]),
  );
  if (deps.isMove !== true) refuseMoving(meta.get(MOVING_KEY));
  return {
    logId: requiredOf(meta.get('log_id'), 'log_id'),
    cursorKey: Buffer.from(requiredOf(meta.get('cursor_key'), 'cursor_key'), 'hex'),
  };
}

async function diskBytes(sql: SqlRunner): Promise<number> {
  const { DISK_BYTES } = await import('./sql/prune.js');
  return (await sql.get<{ bytes: number }>(DISK_BYTES))?.bytes ?? 0;
}

async function requireServer(sql: SqlRunner): Promise<void> {
  const facts = await sql.get<{ encoding: string; version: number }>(SERVER_FACTS);
  if (facts?.encoding !== 'UTF8') {
    throw new KitError(
      'KIT_STORE_UNAVAILABLE',
      `the database has the encoding ${facts?.encoding}, which cannot hold every text`,
      {
        hint: "Create a database with ENCODING 'UTF8'.",
      },
    );
  }
  if (facts.version < LEAST_VERSION) {
    throw new KitError(
      'KIT_STORE_UNAVAILABLE',
      `the server is PostgreSQL ${Math.floor(facts.version / 10_000)}, 13 or newer is needed`,
      {
        hint: 'Use a newer PostgreSQL.',
      },
    );
  }
}

async function applyMissing(deps: MigrateDeps, at: UpgradeShown['at']): Promise<void> {
  const { sql, faults, log, pacing = realPacing } = deps;
  const locks = { sql, log, pacing };
  try {
    await beginMigration(locks);
    if (!(await applyLocked(deps, locks, at))) {
      await sql.exec('ROLLBACK');
      return;
    }
    faults.hit('store.migrate:before');
    await sql.exec('COMMIT');
  } catch (error) {
    await sql.exec('ROLLBACK').catch(() => undefined);
    throw error;
  }
  faults.hit('store.migrate:after');
}

/** False when another process has done it meanwhile. */
async function applyLocked(
  { sql, ids, schema, copyOf }: MigrateDeps,
  locks: MigrationLocks,
  at: UpgradeShown['at'],
): Promise<boolean> {
  const from = await versionOf(sql);
  refuseNewer(from);
  if (from === SCHEMA_VERSION) return false;
  if (from > 0) await (copyOf === undefined ? refuseCopy(sql) : findCopy(sql, copyOf.logId));
  if ((await sql.get(FIND_SCHEMA)) === undefined) await sql.exec(createSchemaOf(schema));
  if (from > 0) await takeTables(locks);
  await sql.exec(CREATE_META);
  const missing = MIGRATIONS.filter(({ number }) => number > from);
  for (const [done, { number }] of missing.entries()) {
    at(done, missing.length);
    await sql.exec(POSTGRES_MIGRATIONS[number], MIGRATION_ANSWER_MS);
  }
  at(missing.length, missing.length);
  await sql.run(SET_META, { key: 'schema_version', value: String(SCHEMA_VERSION) });
  const { logId, cursorKey } = copyOf ?? { logId: ids.uuid(), cursorKey: randomBytes(CURSOR_KEY_BYTES) };
  await sql.run(INSERT_META, { key: 'log_id', value: logId });
  await sql.run(INSERT_META, { key: 'cursor_key', value: Buffer.from(cursorKey).toString('hex') });
  if (copyOf !== undefined) await sql.run(INSERT_META, { key: COPY_OF, value: logId });
  return true;
}

async function refuseCopy(sql: SqlRunner): Promise<void> {
  if ((await sql.get(READ_META, { key: COPY_OF })) === undefined) return;
  throw new KitError(
    'KIT_STORE_UNAVAILABLE',
    'this database holds the copy of a log (storage.audit): no runs are kept there',
    {
      hint: 'Name another database for the runs.',
    },
  );
}

/**
 * Whether the copy of a log lies in the database; writes nothing. Throws KIT_STORE_UNAVAILABLE for
 * one that holds something else of kit, and KIT_STORE_NEWER.
 */
export async function findCopy(sql: SqlRunner, logId: string): Promise<'copy' | 'nothing'> {
  const found = await versionOf(sql);
  refuseNewer(found);
  if (found === 0) return 'nothing';
  const copied = (await sql.get<{ value: string }>(READ_META, { key: COPY_OF }))?.value;
  if (copied === logId) return 'copy';
  const own = (await sql.get<{ value: string }>(READ_META, { key: 'log_id' }))?.value;
  const isRuns = copied === undefined && requiredOf(own, 'log_id') === logId;
  const holds = isRuns
    ? 'is the database of these runs by another address'
    : `holds ${copied === undefined ? 'runs' : 'the log of other runs'}`;
  throw new KitError('KIT_STORE_UNAVAILABLE', `the database that storage.audit.url names ${holds}`, {
    hint: isRuns
      ? 'Remove storage.audit: the log lies with the runs.'
      : 'Name an empty database in storage.audit.url, one for each store of runs.',
    data: { setting: 'storage.audit.url' },
  });
}

/** Throws for a server that cannot hold a copy, whatever log it is of. */
export async function requireCopyable(sql: SqlRunner): Promise<void> {
  await requireServer(sql);
  refuseNewer(await versionOf(sql));
}

/** Whether kit has ever been here. */
export const isMigrated = async (sql: SqlRunner): Promise<boolean> => (await versionOf(sql)) > 0;

/** 0 = nothing is there yet. */
export async function versionOf(sql: SqlRunner): Promise<number> {
  if ((await sql.get(FIND_META_TABLE)) === undefined) return 0;
  return Number((await sql.get<{ value: string }>(READ_META, { key: 'schema_version' }))?.value ?? 0);
}

function requiredOf(value: string | undefined, key: string): string {
  if (value === undefined)
    throw new KitError('KIT_STORE_UNAVAILABLE', `the store holds no ${key}: it was damaged or made by hand`);
  return value;
}
