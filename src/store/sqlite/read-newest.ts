import type { AuditQuery, AuditSearch, LookBack } from '../../domain/ports/event-log.js';
import type { CursorCodec } from '../cursor.js';
import { requirePageSize } from '../event-page.js';
import { decodeEvent, type EventRecord } from '../event-row.js';
import { type BackRange, searchBack } from '../search-back.js';
import { type Residue, residueOf } from '../sql/newest-events.js';
import type { SqliteDeps } from './deps.js';
import { HEAD, NEWEST, NEWEST_OF_RUN, NEWEST_OF_TYPE } from './sql/events.js';
import type { SqlRunner } from './sql-runner.js';

/**
 * Positions that one read looks at: a search through the whole log holds up the process for a few
 * milliseconds at a time.
 */
const SLICE = 5_000;

/**
 * Newest first. What is appended meanwhile is not part of the answer: the log is read back from
 * where its end was.
 */
export async function lookBack(deps: SqliteDeps, cursors: CursorCodec, search: AuditSearch): Promise<LookBack> {
  requirePageSize(search.limit);
  const residue = residueOf(search);
  const { jobId, before } = search;
  const { found, left } = await searchBack({
    from: before === undefined ? await deps.read(headOf) : cursors.decode(before),
    // An index gives the page of a run, or one without a residue, at once.
    slice: jobId !== undefined || residue.text === '' ? 0 : SLICE,
    limit: search.limit,
    msLeft: search.msLeft,
    nextTurn: () => deps.pacing.nextTurn(),
    read: (range) =>
      deps.read((sql) =>
        jobId === undefined
          ? newestInRange(sql, { types: search.types, residue }, range)
          : newestOfRun(sql, { types: search.types, jobId, residue }, range),
      ),
  });
  return { events: found.map(decodeEvent), before: left === 0 ? null : cursors.encode(left) };
}

export const headOf = (sql: SqlRunner): number => sql.get<{ pos: number }>(HEAD, {})?.pos ?? 0;

interface Narrowed {
  readonly types: AuditQuery['types'];
  readonly residue: Residue;
}

function newestOfRun(
  sql: SqlRunner,
  { jobId, types, residue }: Narrowed & { readonly jobId: string },
  { upTo, limit }: BackRange,
): readonly EventRecord[] {
  const named = hasTypes(types) ? JSON.stringify(types) : null;
  return sql.all<EventRecord>(NEWEST_OF_RUN(residue.text), { jobId, limit, upTo, types: named, ...residue.params });
}

function newestInRange(sql: SqlRunner, { types, residue }: Narrowed, range: BackRange): readonly EventRecord[] {
  const params = { ...range, ...residue.params };
  if (!hasTypes(types)) return sql.all<EventRecord>(NEWEST(residue.text), params);
  return [...new Set(types)]
    .flatMap((type) => sql.all<EventRecord>(NEWEST_OF_TYPE(residue.text), { type, ...params }))
    .sort((a, b) => b.pos - a.pos)
    .slice(0, range.limit);
}

const hasTypes = (types: AuditQuery['types']): boolean => types !== undefined && types.length > 0;
