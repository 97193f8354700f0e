import type { KnowledgeDocument, KnowledgeIndex } from '../../domain/ports/knowledge.js';
import { all, get, type Program, run } from '../program.js';
import type { KnowledgeSql } from './knowledge-sql.js';

/** Rows of one write, so that it is a short one. */
const SLICE_PASSAGES = 100;
const SLICE_WORDS = 2_000;
/** A submit that names an index again is written down at most so often. */
export const USED_EVERY_MS = 12 * 60 * 60 * 1000;

/** One write. */
export type Slice = (now: string) => Program<void>;

/** `KnowledgeStore.known`. */
export function* knownDocuments(sql: KnowledgeSql, documents: readonly string[]): Program<ReadonlySet<string>> {
  const rows = yield* all<{ digest: string }>(sql.KNOWN, { documents: JSON.stringify(documents) });
  return new Set(rows.map(({ digest }) => digest));
}

/**
 * `KnowledgeStore.putDocument` as short writes, in order: the first names the document, the last
 * makes it whole. Each may be repeated.
 */
export function documentSlices(sql: KnowledgeSql, { digest: document, passages }: KnowledgeDocument): readonly Slice[] {
  const rows = passages.map(({ heading, lines, text }, n) => [n, heading, lines[0], lines[1], text]);
  const words = [...wordsOf(passages)].map(([word, places]) => [word, places.join(',')]);
  const first: Slice = function* (now) {
    yield* run(sql.BEGIN_DOCUMENT, { document, now });
  };
  const last: Slice = function* () {
    yield* run(sql.END_DOCUMENT, { document, passages: passages.length });
  };
  const parts = [
    ...slicesOf(rows, SLICE_PASSAGES).map((slice) =>
      rowsSlice(sql.ADD_PASSAGES, { document, passages: JSON.stringify(slice) }),
    ),
    ...slicesOf(words, SLICE_WORDS).map((slice) =>
      rowsSlice(sql.ADD_WORDS, { document, words: JSON.stringify(slice) }),
    ),
  ];
  // Most documents are short: one write is all that they take.
  return rows.length <= SLICE_PASSAGES && words.length <= SLICE_WORDS
    ? [joined([first, ...parts, last])]
    : [first, ...parts, last];
}

const rowsSlice = (statement: string, params: Readonly<Record<string, string>>): Slice =>
  function* () {
    yield* run(statement, params);
  };

const joined = (slices: readonly Slice[]): Slice =>
  function* (now) {
    for (const slice of slices) yield* slice(now);
  };

function wordsOf(passages: KnowledgeDocument['passages']): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [n, { words }] of passages.entries()) {
    for (const word of new Set(words)) {
      const known = places.get(word);
      if (known === undefined) places.set(word, [n]);
      else known.push(n);
    }
  }
  return places;
}

function slicesOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

const since = (now: string): string => new Date(Date.parse(now) - USED_EVERY_MS).toISOString();

/** Whether an index is there that was named lately: then a submit has nothing to write. */
export function* isFresh(sql: KnowledgeSql, { digest: index }: KnowledgeIndex, now: string): Program<boolean> {
  return (yield* get(sql.FRESH_INDEX, { index, since: since(now) })) !== undefined;
}

/**
 * `KnowledgeStore.putIndex`; the documents are held until the commit, so that nobody removes them
 * meanwhile.
 */
export function* putIndex(sql: KnowledgeSql, { digest: index, files }: KnowledgeIndex, now: string): Program<boolean> {
  const documents = new Set(files.map(({ document }) => document));
  const known = yield* knownDocuments(sql, [...documents]);
  if (known.size < documents.size) return false;
  yield* run(sql.ADD_INDEX, { index, files: files.length, now });
  const rows = files.map(({ path, document }) => [path, document]);
  for (const slice of slicesOf(rows, SLICE_WORDS)) yield* run(sql.ADD_FILES, { index, files: JSON.stringify(slice) });
  yield* run(sql.USE_INDEX, { index, now, since: since(now) });
  return true;
}
