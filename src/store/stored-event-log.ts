import type { EventType, RunEvent, StoredEvent } from '../domain/events.js';
import type { AuditQuery, AuditSearch, EventLog, EventPage, EventQuery, LookBack } from '../domain/ports/event-log.js';
import type { LogPlace } from './cursor.js';
import { type LogState, pageOf, placeOf, requirePageSize, requireReached } from './event-page.js';
import { decodeEvent, type EventRecord } from './event-row.js';
import { type EventWords, type LookBackParts, lookBack } from './look-back.js';
import { all, append, get, type Program } from './program.js';
import { refuseEnd } from './run-ended.js';
import { LOG_END, READ_ALL, SEQ_AT_POS } from './sql/events.js';
import { HORIZON, HORIZON_OF_RUN } from './sql/prune.js';

/** Tells that something may have been committed. */
interface Watch {
  wait(timeoutMs: number, signal: AbortSignal): Promise<void>;
}

export interface EventLogParts extends LookBackParts {
  readonly watch: Watch;
}

const START: LogPlace = { pos: 0, mark: null };

/** Positions are given in the order of commits: whoever has seen one has seen all before it. */
export class StoredEventLog implements EventLog {
  readonly #parts: EventLogParts;

  constructor(parts: EventLogParts) {
    this.#parts = parts;
  }

  async append(
    event: RunEvent,
    labels: Readonly<Record<string, string>>,
    correlationId: string | null = null,
  ): Promise<StoredEvent> {
    const owner = { run: 0, jobId: '', labels: JSON.stringify(labels), correlationId };
    const [stored] = await this.#parts.programs.write('event.append', () => {
      refuseEnd([event]);
      return append(owner, [event]);
    });
    if (stored === undefined) throw new Error('an appended event came back empty');
    return stored();
  }

  async read(query: EventQuery): Promise<EventPage> {
    requirePageSize(query.limit);
    const { programs, words, cursors } = this.#parts;
    const after = query.after ?? '';
    const place = after === '' ? START : cursors.decode(after);
    const types = query.types === undefined || query.types.length === 0 ? null : [...new Set(query.types)];
    const how = query.jobId === undefined && types !== null && types.length > 1 ? words.readsManyTypes : 'read';
    // One more than asked for: `hasMore` is a fact, not a guess.
    const ask = { ...query, types, afterPos: place.pos, limit: query.limit + 1 };
    const { records, horizon, state } = await programs[how](() => readPage(words, ask));
    requireReached(place, state);
    return pageOf(records, { limit: query.limit, after, cursors, afterPos: place.pos, horizon });
  }

  lookBack(search: AuditSearch): Promise<LookBack> {
    return lookBack(this.#parts, search);
  }

  readNewest(query: AuditQuery): Promise<readonly StoredEvent[]> {
    return this.lookBack({ ...query, msLeft: () => Number.POSITIVE_INFINITY }).then(({ events }) => events);
  }

  async headCursor(): Promise<string> {
    const { programs, cursors } = this.#parts;
    const newest = await programs.read(() => get<Pick<EventRecord, 'pos' | 'hash'>>(LOG_END, {}));
    return newest === undefined ? '' : cursors.encode(placeOf(newest));
  }

  async readRun(jobId: string, afterSeq: number, limit: number): Promise<readonly StoredEvent[]> {
    requirePageSize(limit);
    const { programs, words } = this.#parts;
    const records = await programs.read(() => all<EventRecord>(words.READ_RUN, { jobId, afterSeq, limit }));
    return records.map(decodeEvent);
  }

  waitForChange(timeoutMs: number, signal: AbortSignal): Promise<void> {
    return this.#parts.watch.wait(timeoutMs, signal);
  }
}

interface Ask {
  readonly jobId?: string;
  readonly types: readonly EventType[] | null;
  readonly afterPos: number;
  readonly limit: number;
}

interface Page {
  readonly records: readonly EventRecord[];
  readonly horizon: number | null;
  readonly state: LogState;
}

/** The horizon after the page: what is removed in between is said. */
function* readPage(words: EventWords, ask: Ask): Program<Page> {
  const { jobId, afterPos } = ask;
  const records = yield* select(words, ask);
  if (jobId === undefined) {
    const row = yield* get<Horizon>(HORIZON, { afterPos });
    return { records, horizon: row?.gone ?? null, state: stateOf(row) };
  }
  const row = yield* get<Horizon & { readonly gone_of_run: number | null }>(HORIZON_OF_RUN, { jobId, afterPos });
  return { records, horizon: row?.gone_of_run ?? null, state: stateOf(row) };
}

interface Horizon {
  readonly gone: number | null;
  readonly last: number | null;
  readonly hash: string | null;
}

const stateOf = (row: Horizon | undefined): LogState => ({
  gone: row?.gone ?? 0,
  last: row?.last ?? 0,
  hash: row?.hash ?? null,
});

function* select(words: EventWords, { jobId, types, afterPos, limit }: Ask): Program<readonly EventRecord[]> {
  if (jobId === undefined)
    return types === null
      ? yield* all<EventRecord>(READ_ALL, { afterPos, limit })
      : yield* words.readTypes(types, { afterPos, limit });
  const afterSeq = yield* seqAfter(words, jobId, afterPos);
  return types === null
    ? yield* all<EventRecord>(words.READ_RUN, { jobId, afterSeq, limit })
    : yield* all<EventRecord>(words.READ_RUN_TYPES, { jobId, afterSeq, limit, types });
}

function* seqAfter({ SEQ_BEFORE_POS }: EventWords, jobId: string, pos: number): Program<number> {
  if (pos === 0) return 0;
  const at =
    (yield* get<{ seq: number }>(SEQ_AT_POS, { jobId, pos })) ??
    (yield* get<{ seq: number }>(SEQ_BEFORE_POS, { jobId, pos }));
  return at?.seq ?? 0;
}
