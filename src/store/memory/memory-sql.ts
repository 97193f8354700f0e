import type { SqlDialect } from '../program.js';

/**
 * The one condition under which an entry `m` is read: it lies in the reader's own space, or people
 * wrote it and the scope reaches that far, or this very person did. Every statement that gives
 * entries away holds it.
 */
const READABLE = "(m.space = @own OR (m.space = 'shared' AND (CAST(@isAll AS BIGINT) = 1 OR m.owner = @owner)))";
/** How far the entries of one word are counted: a word that more hold says little. */
export const COUNTED = 150;
const COLUMNS =
  'm.id, m.space, m.subject, m.attribute, m.value, m.type, m.confidence, m.origin, m.owner, m.source, m.session, m.job_id, m.valid_from, m.reinforced_at, m.reinforce_count';

const hitsIn = (space: string): string =>
  `(SELECT count(*) FROM (SELECT 1 FROM memory_words AS w WHERE w.space = ${space} AND w.word = list.value LIMIT ${COUNTED}) AS counted)`;

/**
 * Statements on memory; the texts of the dialects differ where they read a list and where they
 * lock.
 */
export const memorySql = ({ list, lock }: SqlDialect) => ({
  HITS: `SELECT list.value AS word, ${hitsIn('@own')} AS own, ${hitsIn("'shared'")} AS shared FROM ${list('words')}`,
  // Gives no entry away: READABLE, said of words, so that an entry is looked at only where its
  // owner matters.
  POSTINGS: `SELECT w.memory AS memory, w.word AS word FROM ${list('words')} CROSS JOIN memory_words AS w WHERE w.word = list.value AND (w.space = @own
OR (w.space = 'shared' AND (CAST(@isAll AS BIGINT) = 1 OR EXISTS (SELECT 1 FROM memories AS m WHERE m.id = w.memory AND m.owner = @owner))))
AND w.space IN (@own, 'shared') LIMIT @limit`,
  // The order of the join is said: by its space, SQLite would go through everything that somebody
  // remembers.
  BY_IDS: `SELECT ${COLUMNS} FROM ${list('ids')} CROSS JOIN memories AS m WHERE m.id = list.value AND ${READABLE}`,
  LIST: `SELECT ${COLUMNS} FROM memories AS m WHERE m.space IN (@own, 'shared') AND ${READABLE} AND (CAST(@type AS TEXT) IS NULL OR m.type = @type)
ORDER BY CASE WHEN CAST(@isOwnFirst AS BIGINT) = 1 AND m.owner <> @owner THEN 1 ELSE 0 END, m.confidence DESC, m.reinforced_at DESC, m.id LIMIT @limit`,
  CHANGES:
    'SELECT op, value_before, value_after, reason, decided_by, quarantine, at FROM memory_changes WHERE memory = @memory ORDER BY n',
  GET: `SELECT ${COLUMNS} FROM memories AS m WHERE m.id = @id ${lock}`,
  WRITTEN:
    'SELECT op, value_before, value_after, reason, decided_by, quarantine, at FROM memory_changes WHERE write_id = @writeId',
  ADD: `INSERT INTO memories (id, space, subject, attribute, value, type, confidence, origin, owner, source, session, job_id, valid_from, reinforced_at, reinforce_count)
VALUES (@id, @space, @subject, @attribute, @value, @type, @confidence, @origin, @owner, @source, @session, @jobId, @now, @now, 0) ON CONFLICT DO NOTHING`,
  REINFORCE:
    'UPDATE memories SET confidence = @confidence, reinforced_at = @now, reinforce_count = reinforce_count + 1 WHERE id = @id',
  CHANGE: `UPDATE memories SET value = @value, type = @type, confidence = @confidence, source = @source, session = @session, job_id = @jobId, origin = @origin, owner = @owner,
valid_from = @now, reinforced_at = @now WHERE id = @id`,
  DROP_WORDS: 'DELETE FROM memory_words WHERE memory = @id',
  ADD_WORDS: `INSERT INTO memory_words (space, word, memory) SELECT CAST(@space AS TEXT), list.value, CAST(@id AS TEXT) FROM ${list('words')}`,
  LOG: `INSERT INTO memory_changes (memory, n, write_id, op, value_before, value_after, reason, decided_by, quarantine, at)
SELECT CAST(@id AS TEXT), coalesce(max(n), 0) + 1, CAST(@writeId AS TEXT), CAST(@op AS TEXT), CAST(@before AS TEXT), CAST(@after AS TEXT), CAST(@reason AS TEXT),
CAST(@decidedBy AS TEXT), CAST(@quarantine AS TEXT), CAST(@now AS TEXT) FROM memory_changes WHERE memory = @id`,
  INSERT_QUARANTINED: `INSERT INTO memory_quarantine (id, space, memory, owner, candidate, current_value, reason, status, created_at)
VALUES (@quarantine, @space, @id, @owner, @candidate, @current, @reason, 'pending', @now) ON CONFLICT DO NOTHING`,
  QUARANTINE: `SELECT * FROM memory_quarantine WHERE space IN (@own, 'shared') AND (CAST(@status AS TEXT) IS NULL OR status = @status)
ORDER BY created_at DESC, id LIMIT @limit`,
  FIND_QUARANTINED: `SELECT * FROM memory_quarantine WHERE space IN (@own, 'shared') AND id >= @prefix AND id < CAST(@prefix AS TEXT) || 'g' ORDER BY id LIMIT 2 ${lock}`,
  DECIDE_QUARANTINED:
    'UPDATE memory_quarantine SET status = @status, resolved_at = @now, resolved_by = @by, comment = @comment WHERE id = @quarantine',
});

export type MemorySql = ReturnType<typeof memorySql>;
