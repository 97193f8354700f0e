import type { EventType } from '../domain/events.js';
import type { AuditSearch, LookBack } from '../domain/ports/event-log.js';
import type { CursorCodec } from './cursor.js';
import { requirePageSize } from './event-page.js';
import { decodeEvent, type EventRecord } from './event-row.js';
import type { Pacing } from './pacing.js';
import { all, get, type Program, type Programs, type Statement } from './program.js';
import { type BackRange, searchBack } from './search-back.js';
import { LOG_END } from './sql/events.js';
import { residueOf } from './sql/newest-events.js';

/** What the dialects write differently of the log. */
export interface EventWords {
  readonly READ_RUN: string;
  readonly READ_RUN_TYPES: string;
  readonly SEQ_BEFORE_POS: string;
  /** The log read backwards; `residue`: see `Residue`. */
  readonly NEWEST: (residue: string) => string;
  readonly NEWEST_OF_RUN: (residue: string) => string;
  /** How a page of several types is read. */
  readonly readsManyTypes: keyof Pick<Programs, 'read' | 'readAtOnce'>;
  readonly readTypes: (
    types: readonly EventType[],
    range: { readonly afterPos: number; readonly limit: number },
  ) => Program<readonly EventRecord[]>;
  /** The newest first. */
  readonly newestOfTypes: (
    types: readonly EventType[],
    of: { readonly residue: string; readonly params: Statement['params']; readonly limit: number },
  ) => Program<readonly EventRecord[]>;
  /**
   * Positions that one read of a search looks at: one that is over ends within the time of a read,
   * and where the reads are those of this process they hold it up for a few milliseconds.
   */
  readonly backSlice: number;
}

export interface LookBackParts {
  readonly programs: Programs;
  readonly words: EventWords;
  readonly cursors: CursorCodec;
  /** Long reads of the log are cut, and the process does other work between two of their parts. */
  readonly pacing: Pick<Pacing, 'nextTurn'>;
}

/**
 * Newest first. What is appended meanwhile is not part of the answer: the log is read back from
 * where its end was.
 */
export async function lookBack(
  { programs, words, cursors, pacing }: LookBackParts,
  search: AuditSearch,
): Promise<LookBack> {
  requirePageSize(search.limit);
  const { jobId, before } = search;
  const residue = residueOf(search);
  const head = async () => (await programs.read(() => get<{ pos: number }>(LOG_END, {})))?.pos ?? 0;
  const { found, left } = await searchBack({
    from: before === undefined ? await head() : cursors.decode(before).pos,
    // An index gives the page of a run, or one without a residue, at once.
    slice: jobId !== undefined || residue.text === '' ? 0 : words.backSlice,
    limit: search.limit,
    msLeft: search.msLeft,
    nextTurn: () => pacing.nextTurn(),
    read: (range) => programs.read(() => newest(words, search, range)),
  });
  return { events: found.map(decodeEvent), before: left === 0 ? null : cursors.encode({ pos: left, mark: null }) };
}

function newest(words: EventWords, search: AuditSearch, range: BackRange): Program<readonly EventRecord[]> {
  const { text, params: residue } = residueOf(search);
  const types = search.types === undefined || search.types.length === 0 ? null : [...new Set(search.types)];
  const { jobId } = search;
  if (jobId !== undefined) {
    const { upTo, limit } = range;
    return all<EventRecord>(words.NEWEST_OF_RUN(text), { jobId, types, upTo, limit, ...residue });
  }
  const params = { ...range, ...residue };
  return types === null
    ? all<EventRecord>(words.NEWEST(text), params)
    : words.newestOfTypes(types, { residue: text, params, limit: range.limit });
}
