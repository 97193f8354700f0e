import type { EventType, RunEvent, StoredEvent } from '../../domain/events.js';
import type {
  AuditQuery,
  AuditSearch,
  EventLog,
  EventPage,
  EventQuery,
  LookBack,
} from '../../domain/ports/event-log.js';
import type { CursorCodec } from '../cursor.js';
import { pageOf, requirePageSize } from '../event-page.js';
import { decodeEvent, type EventRecord } from '../event-row.js';
import { refuseEnd } from '../run-ended.js';
import { HORIZON, HORIZON_OF_RUN } from '../sql/prune.js';
import { appendEvents } from './append-events.js';
import type { ChangeWatch } from './change-watch.js';
import type { SqliteDeps } from './deps.js';
import { headOf, lookBack } from './read-newest.js';
import {
  AT_PLACES,
  PLACES_OF_TYPE,
  READ_ALL,
  READ_RUN,
  READ_RUN_TYPES,
  READ_TYPE,
  SEQ_AT_POS,
  SEQ_BEFORE_POS,
} from './sql/events.js';
import type { SqlRunner } from './sql-runner.js';

export interface EventLogParts {
  readonly deps: SqliteDeps;
  readonly cursors: CursorCodec;
  readonly watch: ChangeWatch;
}

/**
 * The log in SQLite. Positions are given inside the one write transaction the file allows, so
 * commit order is position order and a reader that has seen a position has seen all before it: a
 * cursor never skips.
 */
export class SqliteEventLog implements EventLog {
  readonly #deps: SqliteDeps;
  readonly #cursors: CursorCodec;
  readonly #watch: ChangeWatch;

  constructor(parts: EventLogParts) {
    this.#deps = parts.deps;
    this.#cursors = parts.cursors;
    this.#watch = parts.watch;
  }

  append(
    event: RunEvent,
    labels: Readonly<Record<string, string>>,
    correlationId: string | null = null,
  ): Promise<StoredEvent> {
    const owner = { run: 0, jobId: '', labels: JSON.stringify(labels), correlationId };
    return this.#deps.queue.run(['event.append'], (sql) => {
      refuseEnd([event]);
      const [stored] = appendEvents(sql, owner, [event]);
      if (stored === undefined) throw new Error('an appended event came back empty');
      return stored;
    });
  }

  async read(query: EventQuery): Promise<EventPage> {
    requirePageSize(query.limit);
    const after = query.after ?? '';
    const afterPos = after === '' ? 0 : this.#cursors.decode(after);
    // One more than asked for: `hasMore` is a fact, not a guess.
    const [records, horizon] = await this.#deps.read((sql) => [
      select(sql, { ...query, limit: query.limit + 1 }, afterPos),
      horizonOf(sql, query),
    ]);
    return pageOf(records, { limit: query.limit, after, cursors: this.#cursors, afterPos, horizon });
  }

  lookBack(search: AuditSearch): Promise<LookBack> {
    return lookBack(this.#deps, this.#cursors, search);
  }

  readNewest(query: AuditQuery): Promise<readonly StoredEvent[]> {
    return this.lookBack({ ...query, msLeft: () => Number.POSITIVE_INFINITY }).then(({ events }) => events);
  }

  async headCursor(): Promise<string> {
    const pos = await this.#deps.read(headOf);
    return pos === 0 ? '' : this.#cursors.encode(pos);
  }

  async readRun(jobId: string, afterSeq: number, limit: number): Promise<readonly StoredEvent[]> {
    requirePageSize(limit);
    const records = await this.#deps.read((sql) => sql.all<EventRecord>(READ_RUN, { jobId, afterSeq, limit }));
    return records.map(decodeEvent);
  }

  waitForChange(timeoutMs: number, signal: AbortSignal): Promise<void> {
    return this.#watch.wait(timeoutMs, signal);
  }
}

const horizonOf = (sql: SqlRunner, { jobId }: EventQuery): number | null =>
  (jobId === undefined ? sql.get<Horizon>(HORIZON, {}) : sql.get<Horizon>(HORIZON_OF_RUN, { jobId }))?.pos ?? null;

interface Horizon {
  readonly pos: number | null;
}

function select(sql: SqlRunner, query: EventQuery, afterPos: number): readonly EventRecord[] {
  const { jobId, limit } = query;
  const types = query.types === undefined || query.types.length === 0 ? null : [...new Set(query.types)];
  if (jobId !== undefined) {
    const afterSeq = seqAfter(sql, jobId, afterPos);
    if (types === null) return sql.all<EventRecord>(READ_RUN, { jobId, afterSeq, limit });
    return sql.all<EventRecord>(READ_RUN_TYPES, { jobId, afterSeq, limit, types: JSON.stringify(types) });
  }
  return types === null
    ? sql.all<EventRecord>(READ_ALL, { afterPos, limit })
    : selectTypes(sql, types, { afterPos, limit });
}

/**
 * Places first, from the index alone, then the rows of the page: each type may have a page of its
 * own to give. In one transaction: between two statements a commit could put an event before one
 * already read.
 */
function selectTypes(
  sql: SqlRunner,
  types: readonly EventType[],
  range: { readonly afterPos: number; readonly limit: number },
): readonly EventRecord[] {
  const [only] = types;
  if (only !== undefined && types.length === 1) return sql.all<EventRecord>(READ_TYPE, { type: only, ...range });
  sql.run('BEGIN', {});
  try {
    const places = types.flatMap((type) =>
      sql.all<{ pos: number }>(PLACES_OF_TYPE, { type, ...range }).map(({ pos }) => pos),
    );
    const page = places.sort((a, b) => a - b).slice(0, range.limit);
    return sql.all<EventRecord>(AT_PLACES, { places: JSON.stringify(page) });
  } finally {
    sql.run('COMMIT', {});
  }
}

function seqAfter(sql: SqlRunner, jobId: string, pos: number): number {
  if (pos === 0) return 0;
  const at =
    sql.get<{ seq: number }>(SEQ_AT_POS, { jobId, pos }) ?? sql.get<{ seq: number }>(SEQ_BEFORE_POS, { jobId, pos });
  return at?.seq ?? 0;
}
