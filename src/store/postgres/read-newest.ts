import type { StoredEvent } from '../../domain/events.js';
import type { AuditQuery } from '../../domain/ports/event-log.js';
import { requirePageSize } from '../event-page.js';
import { decodeEvent, type EventRecord } from '../event-row.js';
import { residueOf } from '../sql/newest-events.js';
import type { PostgresDeps } from './deps.js';
import { NEWEST, NEWEST_OF_RUN, NEWEST_OF_TYPES } from './sql/events.js';

/** Newest first, in one statement: the server reads while this process does other things. */
export async function readNewest(deps: PostgresDeps, query: AuditQuery): Promise<readonly StoredEvent[]> {
  requirePageSize(query.limit);
  const { text, params } = residueOf(query);
  const { jobId, limit } = query;
  const types = query.types === undefined || query.types.length === 0 ? null : [...new Set(query.types)];
  const records = await deps.read((sql) => {
    if (jobId !== undefined) return sql.all<EventRecord>(NEWEST_OF_RUN(text), { jobId, types, limit, ...params });
    if (types !== null) return sql.all<EventRecord>(NEWEST_OF_TYPES(text), { types, limit, ...params });
    return sql.all<EventRecord>(NEWEST(text), { limit, ...params });
  });
  return records.map(decodeEvent);
}
