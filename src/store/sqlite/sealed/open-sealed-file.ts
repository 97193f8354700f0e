import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { KitError } from '../../../domain/errors.js';
import type { FaultPoints } from '../../../domain/faults.js';
import type { Clock, Ids } from '../../../domain/ports/system.js';
import { syncDirectory } from '../../blob-files.js';
import type { DurableWrite } from '../../fault-points.js';
import type { ClosingRows } from '../../lazy-sealed.js';
import type { Pacing } from '../../pacing.js';
import { type Program, runNow } from '../../program.js';
import { createSealedRows } from '../../sealed/sealed-rows.js';
import { retryBusy } from '../busy.js';
import { openConnection } from '../connection.js';
import { isoAt } from '../deps.js';
import type { SqlRunner } from '../sql-runner.js';
import { createPrivate } from '../unopened.js';
import { asStoreTrouble } from '../unwritable.js';

/** The file of the sealed rows: tokens, logins under way, and who refreshes what. */
const SEALED_SCHEMA = `
CREATE TABLE sealed_meta (
  key TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE sealed_rows (
  space TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  owner TEXT NOT NULL,
  key_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  written_at TEXT NOT NULL,
  sealed TEXT NOT NULL,
  PRIMARY KEY (space, kind, name, owner)
) STRICT, WITHOUT ROWID;
CREATE TABLE sealed_leases (
  name TEXT NOT NULL PRIMARY KEY,
  holder TEXT NOT NULL,
  lease_until TEXT NOT NULL
) STRICT, WITHOUT ROWID;`;

const ADD_SEALED_ID = "INSERT INTO sealed_meta (key, value) VALUES ('id', @id)";
const READ_SEALED_ID = "SELECT value FROM sealed_meta WHERE key = 'id'";

interface SealedFile {
  /** `<stateDir>/state/oauth.db`. */
  readonly path: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly faults: FaultPoints;
  readonly pacing: Pacing;
}

/**
 * The file at this path, made if it is not there, for its user alone. Several processes may have it
 * open. Throws KIT_STORE_UNAVAILABLE, KIT_STORE_BUSY.
 */
export async function openSealedFile({ path, clock, ids, faults, pacing }: SealedFile): Promise<ClosingRows> {
  await prepareFile(path);
  const { sql, close } = await openConnection({ path, mode: 'write', pacing });
  const transaction = async <T>(name: DurableWrite | null, work: () => T): Promise<T> => {
    const hit = (when: 'before' | 'after'): void => {
      if (name !== null) faults.hit(`${name}:${when}`);
    };
    try {
      const done = await retryBusy(pacing, () =>
        inTransaction(sql, () => {
          const result = work();
          hit('before');
          return result;
        }),
      );
      hit('after');
      return done;
    } catch (error) {
      throw asStoreTrouble(error);
    }
  };
  const run = <T>(program: () => Program<T>): T => runNow(sql, program());
  try {
    if (versionOf(sql) !== VERSION) await transaction('sealed.write', () => prepareTables(sql, ids.uuid()));
  } catch (error) {
    close();
    throw error;
  }
  const read = async <T>(program: () => Program<T>): Promise<T> => {
    try {
      return await retryBusy(pacing, () => run(program));
    } catch (error) {
      throw asStoreTrouble(error);
    }
  };
  const at = (plusMs = 0): string => isoAt(clock.now() + plusMs);
  const rows = createSealedRows(
    { now: async () => at(), read, write: (name, program) => transaction(name, () => run(() => program(at))) },
    async () => sql.get<{ value: string }>(READ_SEALED_ID, {})?.value ?? '',
  );
  return { ...rows, close: async () => close() };
}

/** Private before a byte is in it; SQLite gives its log the mode of the file. */
async function prepareFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await createPrivate(path);
  await syncDirectory(dirname(path));
}

/** The version of this file alone; the one of the runs counts for itself. */
const VERSION = 1;

const versionOf = (sql: SqlRunner): number => Number(sql.pragma('user_version'));

function prepareTables(sql: SqlRunner, id: string): void {
  const version = versionOf(sql);
  if (version > VERSION)
    throw new KitError('KIT_STORE_NEWER', `state/oauth.db has version ${version}, this kit knows up to ${VERSION}`);
  if (version === VERSION) return;
  sql.exec(SEALED_SCHEMA);
  sql.run(ADD_SEALED_ID, { id });
  sql.pragma(`user_version = ${VERSION}`);
}

function inTransaction<T>(sql: SqlRunner, work: () => T): T {
  sql.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    sql.exec('COMMIT');
    return result;
  } catch (error) {
    undo(sql);
    throw error;
  }
}

/** SQLite has rolled back by itself after some errors (a full disk): nothing is to undo then. */
function undo(sql: SqlRunner): void {
  try {
    sql.exec('ROLLBACK');
  } catch {
    // no transaction is open
  }
}
