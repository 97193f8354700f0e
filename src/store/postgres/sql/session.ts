/** Read committed: each statement sees what was committed before it, so a row that was waited for is seen as it now is. */
export const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE';

/** The store's clock, and the name by which the server knows what became of this transaction. */
export const START_FACTS = 'SELECT kit_now() AS now, pg_current_xact_id()::text AS xid';

/** `committed`, `aborted` or `in progress`; null where the server no longer knows. */
export const TRANSACTION_STATUS = 'SELECT pg_xact_status(CAST(CAST(@xid AS TEXT) AS xid8)) AS status';

export const NOW = 'SELECT kit_now() AS now';

/**
 * Advisory locks of kit's database, as pairs: the first number is the ASCII code of "kit" and stands for all of them.
 * 1: the end of the log; 2: the chain of events that belong to no job; 3: migration; 4: the count of the runs that wait.
 */
export const ADVISORY_CLASS = 0x6b6974;
export const LOCK_OUTBOX = `SELECT pg_advisory_xact_lock(${ADVISORY_CLASS}, 2)`;
export const LOCK_MIGRATION = `SELECT pg_advisory_xact_lock(${ADVISORY_CLASS}, 3)`;
export const LOCK_QUEUE = `SELECT pg_advisory_xact_lock(${ADVISORY_CLASS}, 4)`;

export const CHANNEL = 'kit_change';
export const NOTIFY = `SELECT pg_notify('${CHANNEL}', '')`;
export const LISTEN = `LISTEN ${CHANNEL}`;
