import type { PromptBuffer } from '../../domain/ports/prompts.js';
import { runNow } from '../program.js';
import { createPrompts } from '../prompts/prompts.js';
import { isoAt, type SqliteDeps } from './deps.js';

/** Calls of models in SQLite. */
export const createSqlitePrompts = (deps: SqliteDeps): PromptBuffer =>
  createPrompts({
    read: (program) => deps.read((sql) => runNow(sql, program())),
    write: (program) => deps.queue.run([], (sql) => runNow(sql, program(isoAt(deps.clock.now())))),
    lock: '',
  });
