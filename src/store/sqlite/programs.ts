import { type Programs, runNow } from '../program.js';
import { isoAt, type SqliteDeps } from './deps.js';

/** Programs over SQLite. Whoever holds the write lock of the file holds every row. */
export const sqlitePrograms = ({ read, queue, clock }: Pick<SqliteDeps, 'read' | 'queue' | 'clock'>): Programs => ({
  now: async () => isoAt(clock.now()),
  read: (program) => read((sql) => runNow(sql, program())),
  write: (write, program) =>
    queue.run(write === null ? [] : [write], (sql) => {
      const nowMs = clock.now();
      return runNow(
        sql,
        program((plusMs = 0) => isoAt(nowMs + plusMs)),
      );
    }),
});
