import { runNow, SQLITE_DIALECT } from '../program.js';
import { type ClosingBuffer, createPrompts } from '../prompts/prompts.js';
import { isoAt, type SqliteDeps } from './deps.js';

/** The texts last: what the ring is trimmed by is found without reading them. */
const INSERT_PROMPT = `
INSERT INTO prompts (job_id, conversation, follows, said, step_key, agent_id, skill_id, purpose, provider, model, tries, asked_at, duration_ms, bytes, prompt, answer)
VALUES (@job_id, @conversation, @follows, @said, @step_key, @agent_id, @skill_id, @purpose, @provider, @model, @tries, @asked_at, @duration_ms, @bytes, @prompt, @answer)`;

type Deps = Pick<SqliteDeps, 'read' | 'queue' | 'clock'> & Pick<Parameters<typeof createPrompts>[0], 'pacing'>;

/** Calls of models in SQLite. */
export const createSqlitePrompts = ({ read, queue, clock, pacing }: Deps): ClosingBuffer =>
  createPrompts({
    read: (program) => read((sql) => runNow(sql, program())),
    write: (rows, trim) =>
      queue.run([], (sql) => {
        for (const row of runNow(sql, rows())) sql.insert(INSERT_PROMPT, row);
        if (trim !== null) runNow(sql, trim(isoAt(clock.now())));
      }),
    pacing,
    words: { dialect: SQLITE_DIALECT, stays: '', isAlone: '1' },
  });
