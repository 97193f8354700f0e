import { POSTGRES_DIALECT, runLater } from '../program.js';
import { type ClosingBuffer, createPrompts } from '../prompts/prompts.js';
import type { PostgresDeps } from './deps.js';
import { TRY_LOCK_PROMPTS } from './sql/session.js';

type Deps = Pick<PostgresDeps, 'read' | 'queue'> & Pick<Parameters<typeof createPrompts>[0], 'pacing'>;

/** Calls of models in PostgreSQL. */
export const createPostgresPrompts = ({ read, queue, pacing }: Deps): ClosingBuffer =>
  createPrompts({
    read: (program) => read((sql) => runLater(sql, program())),
    write: (rows, trim) =>
      queue.run({
        writes: [],
        jobs: [],
        place: 'first',
        work: async (tx) => {
          await tx.keepPrompts(await runLater(tx, rows()));
          if (trim !== null) await runLater(tx, trim(tx.now));
        },
      }),
    pacing,
    words: { dialect: POSTGRES_DIALECT, stays: 'FOR KEY SHARE OF p', isAlone: TRY_LOCK_PROMPTS },
  });
