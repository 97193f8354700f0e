import type {
  Memory,
  MemoryChange,
  MemoryHit,
  MemoryReader,
  MemoryStore,
  QuarantinedMemory,
} from '../../domain/ports/memory.js';
import { all, get, type Program } from '../program.js';
import { rareWords } from '../rare-words.js';
import {
  type ChangeRecord,
  decodeChange,
  decodeQuarantine,
  MEMORIES,
  type MemoryRecord,
  memoryIdOf,
  ownSpace,
  type QuarantineRecord,
  readerParams,
  SHARED,
} from './memory-row.js';
import { COUNTED, type MemorySql } from './memory-sql.js';

/** Entries that are looked through for one question, over all its words: the rare ones first. */
const MAX_POSTINGS = 600;

interface WordHits {
  readonly word: string;
  readonly own: number;
  readonly shared: number;
}

/** `MemoryStore.find`. */
export function* findMemories(
  sql: MemorySql,
  reader: MemoryReader,
  ask: Parameters<MemoryStore['find']>[1],
): Program<readonly MemoryHit[]> {
  const who = readerParams(reader);
  if (ask.words.length === 0) return [];
  const hits = yield* all<WordHits>(sql.HITS, { own: who.own, words: JSON.stringify(ask.words) });
  const weights = rareWords(
    hits.map(({ word, own, shared }) => ({ word, count: own + shared })),
    { maxPostings: MAX_POSTINGS, counted: COUNTED },
  );
  if (weights.size === 0) return [];
  const postings = yield* all<{ memory: string; word: string }>(sql.POSTINGS, {
    ...who,
    words: JSON.stringify([...weights.keys()]),
    limit: MAX_POSTINGS,
  });
  const matches = new Map<string, number>();
  for (const { memory, word } of postings) matches.set(memory, (matches.get(memory) ?? 0) + (weights.get(word) ?? 0));
  const best = [...matches].sort(([idA, a], [idB, b]) => b - a || (idA < idB ? -1 : 1)).slice(0, ask.limit);
  if (best.length === 0) return [];
  const rows = yield* all<MemoryRecord>(sql.BY_IDS, { ...who, ids: JSON.stringify(best.map(([id]) => id)) });
  const found = new Map(rows.map((row) => [row.id, MEMORIES.decode(row)]));
  return best.flatMap(([id, match]) => {
    const memory = found.get(id);
    return memory === undefined ? [] : [{ memory, match }];
  });
}

/** `MemoryStore.list`. */
export function* listMemories(
  sql: MemorySql,
  reader: MemoryReader,
  ask: Parameters<MemoryStore['list']>[1],
): Program<readonly Memory[]> {
  const rows = yield* all<MemoryRecord>(sql.LIST, {
    ...readerParams(reader),
    ...ask,
    isOwnFirst: reader.scope === 'both' ? 1 : 0,
  });
  return rows.map(MEMORIES.decode);
}

type Item = { readonly memory: Memory; readonly history: readonly MemoryChange[] };

/** `MemoryStore.item`. */
export function* memoryItem(
  sql: MemorySql,
  reader: MemoryReader,
  key: Parameters<MemoryStore['item']>[1],
): Program<readonly Item[]> {
  const found: Item[] = [];
  for (const space of [ownSpace(reader.owner), SHARED]) {
    const row = yield* get<MemoryRecord>(sql.GET, { id: memoryIdOf(space, key) });
    if (row === undefined || (space === SHARED && reader.scope === 'user' && row.owner !== reader.owner)) continue;
    const changes = yield* all<ChangeRecord>(sql.CHANGES, { memory: row.id });
    found.push({ memory: MEMORIES.decode(row), history: changes.map(decodeChange) });
  }
  return found;
}

/** `MemoryStore.quarantine`. */
export function* listQuarantine(
  sql: MemorySql,
  reader: MemoryReader,
  ask: Parameters<MemoryStore['quarantine']>[1],
): Program<readonly QuarantinedMemory[]> {
  const rows = yield* all<QuarantineRecord>(sql.QUARANTINE, { own: ownSpace(reader.owner), ...ask });
  return rows.map(decodeQuarantine);
}
