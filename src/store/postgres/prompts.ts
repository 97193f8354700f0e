import type { PromptBuffer } from '../../domain/ports/prompts.js';
import { runLater } from '../program.js';
import { createPrompts } from '../prompts/prompts.js';
import type { PostgresDeps } from './deps.js';

/** Calls of models in PostgreSQL. */
export const createPostgresPrompts = (deps: PostgresDeps): PromptBuffer =>
  createPrompts({
    read: (program) => deps.read((sql) => runLater(sql, program())),
    write: (program) => deps.queue.run({ writes: [], jobs: [], work: (tx) => runLater(tx, program(tx.now)) }),
    lock: 'FOR UPDATE SKIP LOCKED',
  });
