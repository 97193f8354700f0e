import type { ClosingRows } from '../lazy-sealed.js';
import { runLater } from '../program.js';
import { createSealedRows } from '../sealed/sealed-rows.js';
import type { PostgresDeps } from './deps.js';
import { NOW } from './sql/session.js';

/** Sealed rows beside the runs: every process of the database has them. */
export function createPostgresSealed(deps: Pick<PostgresDeps, 'read' | 'queue'>, logId: string): ClosingRows {
  const { read, queue } = deps;
  const rows = createSealedRows({
    id: async () => logId,
    now: async () => (await read((sql) => sql.get<{ readonly now: string }>(NOW)))?.now ?? '',
    read: (program) => read((sql) => runLater(sql, program())),
    write: (name, program) =>
      queue.run({ writes: [name], jobs: [], work: (tx) => runLater(tx, program(Date.parse(tx.now))) }),
  });
  return { ...rows, close: async () => {} };
}
