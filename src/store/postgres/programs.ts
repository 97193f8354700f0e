import { type Programs, runLater } from '../program.js';
import type { PostgresDeps } from './deps.js';
import { BEGIN_READ, NOW } from './sql/session.js';
import type { Transaction } from './transaction.js';

/** Programs over PostgreSQL; those of different connections run beside each other. */
export const postgresPrograms = ({ read, queue }: Pick<PostgresDeps, 'read' | 'queue'>): Programs => ({
  now: async () => (await read((sql) => sql.get<{ readonly now: string }>(NOW)))?.now ?? '',
  read: (program) => read((sql) => runLater(sql, program())),
  readAtOnce: (program) =>
    read(async (sql) => {
      await sql.exec(BEGIN_READ);
      try {
        return await runLater(sql, program());
      } finally {
        // It has written nothing; a connection that was lost has ended it already.
        await sql.exec('ROLLBACK').catch(() => undefined);
      }
    }),
  write: (write, program, jobs = []) => {
    const work = (tx: Transaction) =>
      runLater(
        tx,
        program((plusMs = 0) => tx.nowPlus(plusMs)),
      );
    return queue.run({ writes: write === null ? [] : [write], jobs, work });
  },
});
