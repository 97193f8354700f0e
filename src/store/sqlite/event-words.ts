import type { EventType } from '../../domain/events.js';
import type { EventRecord } from '../event-row.js';
import type { EventWords } from '../look-back.js';
import { all, type Program } from '../program.js';
import {
  AT_PLACES,
  NEWEST,
  NEWEST_OF_RUN,
  NEWEST_OF_TYPE,
  PLACES_OF_TYPE,
  READ_RUN,
  READ_RUN_TYPES,
  READ_TYPE,
  SEQ_BEFORE_POS,
} from './sql/events.js';

/**
 * The log in SQLite. Positions are given inside the one write transaction the file allows. A page
 * of several types is read at one moment: between its statements a commit could put an event before
 * one already read.
 */
export const EVENT_WORDS: EventWords = {
  READ_RUN,
  READ_RUN_TYPES,
  SEQ_BEFORE_POS,
  NEWEST,
  NEWEST_OF_RUN,
  readsManyTypes: 'readAtOnce',
  readTypes,
  newestOfTypes,
  backSlice: 5_000,
};

/**
 * Places first, from the index alone, then the rows of the page: each type may have a page of its
 * own to give.
 */
function* readTypes(
  types: readonly EventType[],
  range: { readonly afterPos: number; readonly limit: number },
): Program<readonly EventRecord[]> {
  const [only] = types;
  if (only !== undefined && types.length === 1) return yield* all<EventRecord>(READ_TYPE, { type: only, ...range });
  const places: number[] = [];
  for (const type of types)
    for (const { pos } of yield* all<{ pos: number }>(PLACES_OF_TYPE, { type, ...range })) places.push(pos);
  const page = places.sort((a, b) => a - b).slice(0, range.limit);
  return yield* all<EventRecord>(AT_PLACES, { places: JSON.stringify(page) });
}

function* newestOfTypes(
  types: readonly EventType[],
  { residue, params, limit }: Parameters<EventWords['newestOfTypes']>[1],
): Program<readonly EventRecord[]> {
  const found: EventRecord[] = [];
  for (const type of types) found.push(...(yield* all<EventRecord>(NEWEST_OF_TYPE(residue), { type, ...params })));
  return found.sort((a, b) => b.pos - a.pos).slice(0, limit);
}
