import type { RunEvent, StoredEvent } from '../../domain/events.js';
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
import type { ChangeWatch } from './change-watch.js';
import type { PostgresDeps } from './deps.js';
import { lookBack } from './read-newest.js';
import { LOG_END, READ_ALL, READ_RUN, READ_RUN_TYPES, READ_TYPES, SEQ_AT_POS, SEQ_BEFORE_POS } from './sql/events.js';
import type { SqlRunner } from './sql-runner.js';
import type { Transaction } from './transaction.js';

export interface EventLogParts {
  readonly deps: PostgresDeps;
  readonly cursors: CursorCodec;
  readonly watch: ChangeWatch;
}

/**
 * The log in PostgreSQL. Positions are drawn in commit order (see INSERT_EVENTS), so a reader that
 * has seen one has seen all before it.
 */
export class PostgresEventLog implements EventLog {
  readonly #deps: PostgresDeps;
  readonly #cursors: CursorCodec;
  readonly #watch: ChangeWatch;

  constructor(parts: EventLogParts) {
    this.#deps = parts.deps;
    this.#cursors = parts.cursors;
    this.#watch = parts.watch;
  }

  async append(
    event: RunEvent,
    labels: Readonly<Record<string, string>>,
    correlationId: string | null = null,
  ): Promise<StoredEvent> {
    const owner = { jobId: '', labels: JSON.stringify(labels), correlationId };
    const work = (tx: Transaction) => {
      refuseEnd([event]);
      return tx.append(owner, [event]);
    };
    const [stored] = await this.#deps.queue.run({ writes: ['event.append'], jobs: [], work });
    if (stored === undefined) throw new Error('an appended event came back empty');
    return stored();
  }

  async read(query: EventQuery): Promise<EventPage> {
    requirePageSize(query.limit);
    const after = query.after ?? '';
    const afterPos = after === '' ? 0 : this.#cursors.decode(after);
    // One more than asked for: `hasMore` is a fact, not a guess.
    // The horizon after the page: what is removed in between is said.
    const [records, horizon] = await this.#deps.read(async (sql) => [
      await select(sql, { ...query, limit: query.limit + 1 }, afterPos),
      await horizonOf(sql, query),
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
    const pos = (await this.#deps.read((sql) => sql.get<{ pos: number }>(LOG_END)))?.pos ?? 0;
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

async function horizonOf(sql: SqlRunner, { jobId }: EventQuery): Promise<number | null> {
  const row = await (jobId === undefined ? sql.get<Horizon>(HORIZON) : sql.get<Horizon>(HORIZON_OF_RUN, { jobId }));
  return row?.pos ?? null;
}

interface Horizon {
  readonly pos: number | null;
}

async function select(sql: SqlRunner, query: EventQuery, afterPos: number): Promise<readonly EventRecord[]> {
  const { jobId, limit } = query;
  const types = query.types === undefined || query.types.length === 0 ? null : [...new Set(query.types)];
  if (jobId !== undefined) {
    const afterSeq = await seqAfter(sql, jobId, afterPos);
    if (types === null) return sql.all<EventRecord>(READ_RUN, { jobId, afterSeq, limit });
    return sql.all<EventRecord>(READ_RUN_TYPES, { jobId, afterSeq, limit, types });
  }
  return types === null
    ? sql.all<EventRecord>(READ_ALL, { afterPos, limit })
    : sql.all<EventRecord>(READ_TYPES, { types, afterPos, limit });
}

async function seqAfter(sql: SqlRunner, jobId: string, pos: number): Promise<number> {
  if (pos === 0) return 0;
  const at =
    (await sql.get<{ seq: number }>(SEQ_AT_POS, { jobId, pos })) ??
    (await sql.get<{ seq: number }>(SEQ_BEFORE_POS, { jobId, pos }));
  return at?.seq ?? 0;
}
