import { type Programs, runLater } from '../program.js';
import type { PostgresDeps } from './deps.js';
import { NOW } from './sql/session.js';
import type { Transaction } from './transaction.js';

/** Programs over PostgreSQL; those of different connections run beside each other. */
export const postgresPrograms = ({ read, queue }: Pick<PostgresDeps, 'read' | 'queue'>): Programs => ({
  now: async () => (await read((sql) => sql.get<{ readonly now: string }>(NOW)))?.now ?? '',
  read: (program) => read((sql) => runLater(sql, program())),
  write: (write, program, jobs = []) => {
    const work = (tx: Transaction) =>
      runLater(
        tx,
        program((plusMs = 0) => tx.nowPlus(plusMs)),
      );
    return queue.run({ writes: write === null ? [] : [write], jobs, work });
  },
});
