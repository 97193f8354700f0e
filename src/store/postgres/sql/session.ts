/**
 * Read committed: each statement sees what was committed before it, so a row that was waited for is
 * seen as it now is.
 */
export const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE';

/** Several statements of a read see one moment. */
export const BEGIN_READ = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/**
 * The store's clock, the name by which the server knows what became of this transaction, and the
 * log that lies here now. It is not part of what begins the transaction: it must see what was
 * committed before the lock of that was given.
 */
export const START_FACTS =
  "SELECT kit_now() AS now, pg_current_xact_id()::text AS xid, (SELECT value FROM store_meta WHERE key = 'log_id') AS log_id";

/** `committed`, `aborted` or `in progress`; null where the server no longer knows. */
export const TRANSACTION_STATUS = 'SELECT pg_xact_status(CAST(CAST(@xid AS TEXT) AS xid8)) AS status';

/**
 * Its start in seconds: as text a setting of the role would say how it is read. Null where the role
 * may not know it.
 */
const SINCE = 'CAST(extract(epoch FROM backend_start) AS TEXT)';

/**
 * See `ServerEra`. The columns are those that every role may read of every process. A sender of a
 * replica has no database either, but a role, and goes when its replica goes.
 */
export const SERVER_ERA = `
SELECT pg_postmaster_start_time()::text AS started, pg_backend_pid() AS pid,
  (SELECT ${SINCE} FROM pg_stat_activity WHERE pid = pg_backend_pid()) AS since,
  ARRAY(SELECT pid FROM pg_stat_activity WHERE datid IS NULL AND usesysid IS NULL) AS processes`;

/**
 * Whether the process that served a connection is there; its own is not another one. One whose
 * start is not known may be.
 */
export const IS_AT_WORK = `
SELECT EXISTS (SELECT 1 FROM pg_stat_activity
  WHERE pid = @pid AND pid <> pg_backend_pid() AND coalesce(${SINCE} = CAST(@since AS TEXT), true)) AS is_at_work`;

/** A replica, or a primary to be: what is committed may be on its way to it. */
export const IS_BEHIND = 'SELECT pg_is_in_recovery() AS is_behind';

/**
 * Of the connection that writes: what comes outside of a transaction that says that it is to write
 * changes nothing.
 */
export const READS_ONLY = "SELECT set_config('default_transaction_read_only', 'on', false)";

export const NOW = 'SELECT kit_now() AS now';

/** An expression: a time of the store's clock and milliseconds more, in the same form. */
export const msAfter = (at: string, ms: string): string =>
  `to_char(CAST(${at} AS TIMESTAMPTZ) AT TIME ZONE 'UTC' + ${ms} * INTERVAL '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Advisory locks of a store, as pairs: the first number stands for all of them, and each connection
 * knows it as `kit.locks` (schema.ts). In the schema `kit` it is the ASCII code of "kit". 1: the
 * end of the log; 2: the chain of events that belong to no job; 3: migration; 4: the count of the
 * runs that wait; 5: copying a log to this database; 6: filling this store from another one, which
 * every other write shares; 7: trimming the calls of models.
 */
export const ADVISORY_CLASS = 0x6b6974;
export const LOCK_CLASS = "CAST(current_setting('kit.locks') AS INT)";
/**
 * One round trip. Nobody fills the store before this transaction has ended, and where somebody does
 * it waits.
 */
export const BEGIN_WRITE = `${BEGIN}; SELECT pg_advisory_xact_lock_shared(${LOCK_CLASS}, 6)`;
export const LOCK_OUTBOX = `SELECT pg_advisory_xact_lock(${LOCK_CLASS}, 2)`;
export const LOCK_MIGRATION = `SELECT pg_advisory_xact_lock(${LOCK_CLASS}, 3)`;
export const LOCK_QUEUE = `SELECT pg_advisory_xact_lock(${LOCK_CLASS}, 4)`;

/** An expression: false where another transaction has it, and nobody waits. */
export const TRY_LOCK_PROMPTS = `pg_try_advisory_xact_lock(${LOCK_CLASS}, 7)`;

export const notifyOf = (channel: string, payload: string): string => `SELECT pg_notify('${channel}', '${payload}')`;
/** The same on a connection whose other transactions are to be on the disk. */
export const notifyUnsyncedOf = (channel: string, payload: string): string =>
  `SELECT set_config('synchronous_commit', 'off', true), pg_notify('${channel}', '${payload}')`;
/**
 * Of a connection that writes nothing but notices: others need not wait until a disk knows that
 * they were told.
 */
export const NOTHING_TO_LOSE = "SELECT set_config('synchronous_commit', 'off', false)";
export const listenOf = (channel: string): string => `LISTEN ${channel}`;
