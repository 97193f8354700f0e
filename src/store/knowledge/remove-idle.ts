import { all, get, type Program, run } from '../program.js';
import type { KnowledgeSql } from './knowledge-sql.js';
import { USED_EVERY_MS } from './put-knowledge.js';

/** Documents of one write. */
const SLICE_DOCUMENTS = 10;
/**
 * The row of a run follows the use of its index within moments; clocks and a use that was not
 * written down make it more.
 */
const MARGIN_MS = USED_EVERY_MS + 60 * 60 * 1000;

interface IndexRecord {
  readonly digest: string;
  readonly made_at: string;
  readonly used_at: string;
}

/**
 * Indexes that were last used before `before` and that no run can search which is still there: none
 * was submitted while they were in use. A parked run keeps those of its time, whatever their age.
 */
function* idleIndexes(sql: KnowledgeSql, before: string): Program<readonly IndexRecord[]> {
  const old = yield* all<IndexRecord>(sql.OLD_INDEXES, { before });
  const from = old.map(beginOf).sort()[0];
  const until = old.map(endOf).sort().at(-1);
  if (from === undefined || until === undefined) return [];
  const hours = (yield* all<{ hour: string }>(sql.HOURS, { from, until })).map(({ hour }) => hour);
  return old.filter((index) => {
    const [first, last] = [hourOf(beginOf(index)), hourOf(endOf(index))];
    return !hours.some((hour) => hour >= first && hour <= last);
  });
}

/** Between these a run may have been submitted that searches the index. */
const beginOf = ({ made_at: madeAt }: IndexRecord): string => shifted(madeAt, -MARGIN_MS);
const endOf = ({ used_at: usedAt }: IndexRecord): string => shifted(usedAt, MARGIN_MS);

/** `2026-01-02T03` */
const hourOf = (instant: string): string => instant.slice(0, 13);

const shifted = (instant: string, ms: number): string => new Date(Date.parse(instant) + ms).toISOString();

/** Rows that would go now, and the bytes of their texts. */
export function* idleShare(
  sql: KnowledgeSql,
  before: string,
): Program<{ readonly indexes: number; readonly documents: number; readonly bytes: number }> {
  const idle = yield* idleIndexes(sql, before);
  // A sum of PostgreSQL comes as text.
  const loose = yield* get<{ rows: unknown; bytes: unknown }>(sql.LOOSE_SHARE, {
    before,
    idle: JSON.stringify(idle.map(({ digest }) => digest)),
  });
  return { indexes: idle.length, documents: Number(loose?.rows ?? 0), bytes: Number(loose?.bytes ?? 0) };
}

/** Removes them; one that somebody has named again meanwhile stays. */
export function* removeIndexes(sql: KnowledgeSql, before: string): Program<number> {
  let removed = 0;
  for (const { digest: index, used_at: usedAt } of yield* idleIndexes(sql, before)) {
    if ((yield* get(sql.LOCK_INDEX, { index, usedAt })) === undefined) continue;
    yield* run(sql.DROP_FILES, { index });
    removed += yield* run(sql.DROP_INDEX, { index });
  }
  return removed;
}

/**
 * Removes some documents that no index names; 0 = none is left. Looked at once more under the lock.
 */
export function* removeDocuments(sql: KnowledgeSql, before: string): Program<number> {
  let removed = 0;
  for (const { digest: document } of yield* all<{ digest: string }>(sql.LOOSE, { before, limit: SLICE_DOCUMENTS })) {
    if ((yield* get(sql.IS_LOOSE, { document })) === undefined) continue;
    yield* run(sql.DROP_WORDS, { document });
    yield* run(sql.DROP_PASSAGES, { document });
    removed += yield* run(sql.DROP_DOCUMENT, { document });
  }
  return removed;
}
