import { type Program, type Programs, runNow } from '../program.js';
import { appendEvents } from './append-events.js';
import { isoAt, type SqliteDeps } from './deps.js';
import type { SqlRunner } from './sql-runner.js';

/**
 * Carries a program out in the open write transaction. Whoever holds the write lock of the file
 * holds every row.
 */
export const runOpen = <T>(sql: SqlRunner, program: Program<T>): T =>
  runNow({ ...sql, append: (owner, events) => appendEvents(sql, owner, events) }, program);

/** Programs over SQLite. */
export const sqlitePrograms = ({ read, queue, clock }: Pick<SqliteDeps, 'read' | 'queue' | 'clock'>): Programs => ({
  now: async () => isoAt(clock.now()),
  read: (program) => read((sql) => runNow(sql, program())),
  // Between two statements another process could commit.
  readAtOnce: (program) =>
    read((sql) => {
      sql.run('BEGIN', {});
      try {
        return runNow(sql, program());
      } finally {
        sql.run('COMMIT', {});
      }
    }),
  write: (write, program) =>
    queue.run(write === null ? [] : [write], (sql) => {
      const nowMs = clock.now();
      return runOpen(
        sql,
        program((plusMs = 0) => isoAt(nowMs + plusMs)),
      );
    }),
});
