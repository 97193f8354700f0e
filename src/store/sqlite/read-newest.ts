import type { StoredEvent } from '../../domain/events.js';
import type { AuditQuery } from '../../domain/ports/event-log.js';
import { requirePageSize } from '../event-page.js';
import { decodeEvent, type EventRecord } from '../event-row.js';
import { type Residue, residueOf } from '../sql/newest-events.js';
import type { SqliteDeps } from './deps.js';
import { HEAD, NEWEST, NEWEST_OF_RUN, NEWEST_OF_TYPE } from './sql/events.js';
import type { SqlRunner } from './sql-runner.js';

/**
 * Positions that one read looks at: a search through the whole log holds up the process for a few
 * milliseconds at a time.
 */
const SLICE = 20_000;

/**
 * Newest first. What is appended meanwhile is not part of the answer: the log is read back from
 * where its end was.
 */
export async function readNewest(deps: SqliteDeps, query: AuditQuery): Promise<readonly StoredEvent[]> {
  requirePageSize(query.limit);
  const residue = residueOf(query);
  const { jobId } = query;
  if (jobId !== undefined)
    return (await deps.read((sql) => newestOfRun(sql, { ...query, jobId }, residue))).map(decodeEvent);
  const found: EventRecord[] = [];
  let upTo = await deps.read(headOf);
  while (upTo > 0 && found.length < query.limit) {
    // Without a residue an index gives the page at once.
    const after = residue.text === '' ? 0 : Math.max(0, upTo - SLICE);
    const range = { after, upTo, limit: query.limit - found.length };
    found.push(...(await deps.read((sql) => newestInRange(sql, { types: query.types, residue }, range))));
    upTo = after;
    if (upTo > 0 && found.length < query.limit) await deps.pacing.nextTurn();
  }
  return found.map(decodeEvent);
}

export const headOf = (sql: SqlRunner): number => sql.get<{ pos: number }>(HEAD, {})?.pos ?? 0;

function newestOfRun(
  sql: SqlRunner,
  query: AuditQuery & { readonly jobId: string },
  { text, params }: Residue,
): readonly EventRecord[] {
  const { jobId, limit } = query;
  const types = hasTypes(query.types) ? JSON.stringify(query.types) : null;
  return sql.all<EventRecord>(NEWEST_OF_RUN(text), { jobId, limit, types, ...params });
}

interface Range {
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
}

function newestInRange(
  sql: SqlRunner,
  { types, residue }: { readonly types: AuditQuery['types']; readonly residue: Residue },
  range: Range,
): readonly EventRecord[] {
  const params = { ...range, ...residue.params };
  if (!hasTypes(types)) return sql.all<EventRecord>(NEWEST(residue.text), params);
  return [...new Set(types)]
    .flatMap((type) => sql.all<EventRecord>(NEWEST_OF_TYPE(residue.text), { type, ...params }))
    .sort((a, b) => b.pos - a.pos)
    .slice(0, range.limit);
}

const hasTypes = (types: AuditQuery['types']): boolean => types !== undefined && types.length > 0;
