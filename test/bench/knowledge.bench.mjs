// Searching 1,000 documents (8,000 passages) as an agent does: words of the question, index and
// ranking. Beside it the same question to a plain full-text index of SQLite (FTS5, bm25) over the
// same passages in the same file system.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import '../support/processes-typescript.mjs';
import { ms, show } from './support/figures.mjs';

const { openSqliteStores } = await import('../../src/store/sqlite/open-sqlite-stores.ts');
const { createIds } = await import('../support/store-samples.ts');
const { SILENT } = await import('../support/store-world.ts');
const { documentOf, indexOf } = await import('../support/knowledge-samples.ts');
const { rankPassages } = await import('../../src/govern/knowledge/rank.ts');
const { knowledgeWords, MAX_QUESTION_WORDS } = await import('../../src/govern/knowledge/words.ts');

const DOCUMENTS = 1_000;
const SECTIONS = 8;
const QUESTIONS = 300;
const LIMIT = 5;
/** As src/engine/skills/search-knowledge.ts asks. */
const LOOKED_AT = 24;
const MAX_RATIO = 8;

/** Words as a language has them: a few are everywhere, most are rare. */
let seed = 7;
const random = () => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return seed / 2 ** 32;
};
const VOCABULARY = Array.from({ length: 8_000 }, (_, n) => {
  let word = '';
  for (let rest = n + 300; rest > 0; rest = Math.floor(rest / 20))
    word += 'bcdfghklmnprstvwxyzq'[rest % 20] + 'aeiou'[(rest >> 2) % 5];
  return word;
});
const word = () => VOCABULARY[Math.floor(VOCABULARY.length * random() ** 3)];
const sentence = (words) => `${Array.from({ length: words }, word).join(' ')}.`;
const textOf = () =>
  Array.from(
    { length: SECTIONS },
    () => `## ${sentence(4)}\n\n${Array.from({ length: 6 }, () => sentence(14)).join('\n')}`,
  ).join('\n\n');

const directory = mkdtempSync(join(tmpdir(), 'kit-bench-'));
const stores = await openSqliteStores({
  stateDir: directory,
  clock: { now: () => Date.now(), sleep: async () => {} },
  ids: createIds(9),
  faults: { hit: () => {} },
  log: SILENT,
  processStartOf: () => '1',
});
const peer = new Database(join(directory, 'peer.sqlite'));
peer.exec('CREATE VIRTUAL TABLE passages USING fts5(path UNINDEXED, heading, body)');
const insert = peer.prepare('INSERT INTO passages VALUES (?, ?, ?)');
const search = peer.prepare(
  'SELECT path, heading, body, bm25(passages) AS score FROM passages WHERE passages MATCH ? ORDER BY score LIMIT ?',
);

const p = (times, share) => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)];
const timed = async (times, work) => {
  const startedMs = performance.now();
  const found = await work();
  times.push(performance.now() - startedMs);
  return found;
};

try {
  const files = Object.fromEntries(
    Array.from({ length: DOCUMENTS }, (_, n) => [`docs/${String(n).padStart(4, '0')}.md`, textOf()]),
  );
  const documents = Object.entries(files).map(([path, text]) => [path, documentOf(text)]);
  const startedMs = performance.now();
  // As a submit does it.
  for (let from = 0; from < DOCUMENTS; from += 16)
    await Promise.all(documents.slice(from, from + 16).map(([, document]) => stores.knowledge.putDocument(document)));
  const index = indexOf(files);
  await stores.knowledge.putIndex(index);
  const indexedMs = performance.now() - startedMs;
  const passages = documents.reduce((sum, [, document]) => sum + document.passages.length, 0);
  peer.transaction(() => {
    for (const [path, document] of documents)
      for (const { heading, text } of document.passages) insert.run(path, heading, text);
  })();

  const [own, plain] = [[], []];
  let found = 0;
  for (let n = 0; n < QUESTIONS; n += 1) {
    const query = sentence(6);
    const words = knowledgeWords(query, MAX_QUESTION_WORDS);
    found += (
      await timed(own, async () =>
        rankPassages((await stores.knowledge.find(index.digest, { words, limit: LOOKED_AT })) ?? [], {
          query,
          limit: LIMIT,
        }),
      )
    ).length;
    await timed(plain, async () => search.all(words.map((one) => `"${one}"`).join(' OR '), LIMIT));
  }
  const ratio = p(own, 0.5) / p(plain, 0.5);
  const beside = (times) => `p50 ${ms(p(times, 0.5))}, p95 ${ms(p(times, 0.95))}`;
  show(`${DOCUMENTS} documents, ${passages} passages, indexed in`, ms(indexedMs, 0));
  show('a search, index and ranking', beside(own));
  show('plain FTS5', beside(plain));
  show('a search beside plain FTS5', `${ratio.toFixed(1)}x`, { bar: `<= ${MAX_RATIO}x`, holds: ratio <= MAX_RATIO });
  if (found === 0) throw new Error('nothing was found');
} finally {
  peer.close();
  await stores.close();
  rmSync(directory, { recursive: true, force: true });
}
