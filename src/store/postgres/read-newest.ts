import { setImmediate } from 'node:timers/promises';
import type { AuditSearch, LookBack } from '../../domain/ports/event-log.js';
import type { CursorCodec } from '../cursor.js';
import { requirePageSize } from '../event-page.js';
import { decodeEvent, type EventRecord } from '../event-row.js';
import { searchBack } from '../search-back.js';
import { residueOf } from '../sql/newest-events.js';
import type { PostgresDeps } from './deps.js';
import { LOG_END, NEWEST, NEWEST_OF_RUN, NEWEST_OF_TYPES } from './sql/events.js';
import type { SqlRunner } from './sql-runner.js';

/** Positions that one read looks at: a search that is over ends within the time of one. */
const SLICE = 50_000;

/** Newest first, in statements that end soon: this process does other things meanwhile. */
export async function lookBack(deps: PostgresDeps, cursors: CursorCodec, search: AuditSearch): Promise<LookBack> {
  requirePageSize(search.limit);
  const { text, params } = residueOf(search);
  const { jobId, before } = search;
  const types = search.types === undefined || search.types.length === 0 ? null : [...new Set(search.types)];
  const { found, left } = await searchBack({
    from: before === undefined ? await deps.read(endOf) : cursors.decode(before),
    slice: jobId !== undefined || text === '' ? 0 : SLICE,
    limit: search.limit,
    msLeft: search.msLeft,
    nextTurn: () => setImmediate(),
    read: (range) =>
      deps.read((sql) => {
        if (jobId !== undefined) {
          const { upTo, limit } = range;
          return sql.all<EventRecord>(NEWEST_OF_RUN(text), { jobId, types, upTo, limit, ...params });
        }
        if (types !== null) return sql.all<EventRecord>(NEWEST_OF_TYPES(text), { types, ...range, ...params });
        return sql.all<EventRecord>(NEWEST(text), { ...range, ...params });
      }),
  });
  return { events: found.map(decodeEvent), before: left === 0 ? null : cursors.encode(left) };
}

const endOf = async (sql: SqlRunner): Promise<number> => (await sql.get<{ pos: number }>(LOG_END, {}))?.pos ?? 0;
