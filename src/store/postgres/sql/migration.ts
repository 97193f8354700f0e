import { BEGIN, LOCK_MIGRATION } from './session.js';

/**
 * A migration may take as long as it needs; who waits for its turn waits for all of one. `idleMs`:
 * how long the process may think.
 */
export const beginMigrationOf = ({ turnMs, idleMs }: { readonly turnMs: number; readonly idleMs: number }): string =>
  `${BEGIN}; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${turnMs}; SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`;
export const TAKE_TURN = LOCK_MIGRATION;

/** Without store_meta, which every process that starts reads, also one that waits for its turn. */
export const KIT_TABLES = `
SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'store_meta' ORDER BY tablename`;

export const TRY = 'SAVEPOINT kit_try';
export const UNDO_TRY = 'ROLLBACK TO SAVEPOINT kit_try';
/** One statement, so that the limit is of all its tables together. */
export const boundedTo = (ms: number): string => `SET LOCAL statement_timeout = ${ms}`;
export const UNBOUNDED = 'SET LOCAL statement_timeout = 0';
export const takeTablesOf = (names: readonly string[]): string =>
  `LOCK TABLE ${names.join(', ')} IN ACCESS EXCLUSIVE MODE`;
