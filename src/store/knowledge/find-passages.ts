import type { KnowledgeHit, KnowledgeStore } from '../../domain/ports/knowledge.js';
import { all, get, type Program } from '../program.js';
import { type CountedWord, rareWords } from '../rare-words.js';
import { COUNTED, type KnowledgeSql } from './knowledge-sql.js';

/** Documents that are looked at for one question, over all its words: the rare ones first. */
const MAX_POSTINGS = 4_000;

interface PassageRecord {
  readonly document: string;
  readonly n: number;
  readonly heading: string | null;
  readonly line_from: number;
  readonly line_to: number;
  readonly body: string;
  readonly path: string;
}

/** `KnowledgeStore.find`. */
export function* findPassages(
  sql: KnowledgeSql,
  index: string,
  ask: Parameters<KnowledgeStore['find']>[1],
): Program<readonly KnowledgeHit[] | null> {
  if ((yield* get(sql.INDEX, { index })) === undefined) return null;
  if (ask.words.length === 0) return [];
  const counted = yield* all<CountedWord>(sql.HITS, { index, words: JSON.stringify(ask.words) });
  const weights = rareWords(counted, { maxPostings: MAX_POSTINGS, counted: COUNTED });
  if (weights.size === 0) return [];
  const postings = yield* all<{ word: string; document: string; passages: string }>(sql.POSTINGS, {
    index,
    words: JSON.stringify([...weights.keys()]),
    limit: MAX_POSTINGS,
  });
  const matches = new Map<string, { readonly document: string; readonly n: number; match: number }>();
  for (const { word, document, passages } of postings) {
    const weight = weights.get(word) ?? 0;
    for (const n of passages.split(',')) {
      const known = matches.get(`${document} ${n}`);
      if (known === undefined) matches.set(`${document} ${n}`, { document, n: Number(n), match: weight });
      else known.match += weight;
    }
  }
  const best = [...matches.values()].sort(
    (a, b) => b.match - a.match || (a.document < b.document ? -1 : a.document > b.document ? 1 : a.n - b.n),
  );
  const wanted = best.slice(0, ask.limit);
  const rows = yield* all<PassageRecord>(sql.PASSAGES, {
    index,
    wanted: JSON.stringify(wanted.map(({ document, n }) => [document, n])),
  });
  const found = new Map(rows.map((row) => [`${row.document} ${row.n}`, row]));
  return wanted.flatMap(({ document, n, match }) => {
    const row = found.get(`${document} ${n}`);
    return row === undefined ? [] : [hitOf(row, match)];
  });
}

const hitOf = ({ path, heading, line_from: from, line_to: to, body }: PassageRecord, match: number): KnowledgeHit => ({
  file: path,
  passage: { heading, lines: [from, to], text: body },
  match,
});
