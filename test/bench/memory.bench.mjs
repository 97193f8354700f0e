// Reading from 10,000 memories as a recall before a draft does: index and ranking.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '../support/processes-typescript.mjs';
import { ms, show } from './support/figures.mjs';

const { openSqliteStores } = await import('../../src/store/sqlite/open-sqlite-stores.ts');
const { createIds } = await import('../support/store-samples.ts');
const { SILENT } = await import('../support/store-world.ts');
const { reconcileMemory } = await import('../../src/govern/memory/reconcile.ts');
const { MAX_QUESTION_WORDS, rankMemories } = await import('../../src/govern/memory/rank.ts');
const { memoryWords } = await import('../../src/lib/memory-words.ts');

const ENTRIES = 10_000;
const QUESTIONS = 300;
const MAX_READ_MS = 20;
const MAX_MORE_MB = 50;
const SENTENCE =
  'the customer wants that an invoice of the project is sent with every order before the end of month and the report';
const COMMON = SENTENCE.split(' ');

const directory = mkdtempSync(join(tmpdir(), 'kit-bench-'));
const clock = { now: () => Date.now(), sleep: async () => {} };
const stores = await openSqliteStores({
  stateDir: directory,
  clock,
  ids: createIds(9),
  faults: { hit: () => {} },
  log: SILENT,
  processStartOf: () => '1',
});

/** Every entry shares most of its words with all others: the worst that an index is asked. */
const textOf = (n) =>
  [
    ...Array.from({ length: 16 }, (_, at) => COMMON[(n * 7 + at * 3) % COMMON.length]),
    `word${n % 997}`,
    `rare${n}`,
  ].join(' ');
const candidateOf = (n) => ({
  subject: `subject ${n}`,
  attribute: 'fact',
  value: textOf(n),
  type: 'semantic',
  confidence: 0.5,
  source: 'x',
  relation: null,
});

async function read(n) {
  const question = `${COMMON.join(' ')} and word${n % 997} with subject ${n}`;
  const hits = await stores.memory.find(
    { owner: 'ada', scope: 'both' },
    { words: memoryWords(question, MAX_QUESTION_WORDS), limit: 32 },
  );
  return rankMemories(hits, { question, threshold: 0.15, limit: 5, ownFirst: 'ada' });
}

const mb = () => {
  globalThis.gc?.();
  return process.memoryUsage().rss / 1024 / 1024;
};

try {
  for (let from = 0; from < ENTRIES; from += 500) {
    const candidates = Array.from({ length: 500 }, (_, n) => candidateOf(from + n));
    const facts = { session: null, jobId: null, writeId: `w-${from}`, decide: reconcileMemory };
    await stores.memory.write({
      origin: from % 1000 === 0 ? 'person' : 'automatic',
      owner: 'ada',
      ...facts,
      candidates,
    });
  }
  const beforeMb = mb();
  const times = [];
  const cpu = process.cpuUsage();
  let found = 0;
  for (let n = 0; n < QUESTIONS; n += 1) {
    const startedMs = performance.now();
    found += (await read(n * 31)).length;
    times.push(performance.now() - startedMs);
  }
  const { user, system } = process.cpuUsage(cpu);
  const moreMb = mb() - beforeMb;
  times.sort((a, b) => a - b);
  const [p50, p95] = [0.5, 0.95].map((share) => times[Math.floor(times.length * share)]);
  show(`a read of ${ENTRIES} memories, p50`, ms(p50));
  show(`a read of ${ENTRIES} memories, p95`, ms(p95), { bar: `<= ${MAX_READ_MS} ms`, holds: p95 <= MAX_READ_MS });
  show('processor time of a read', ms((user + system) / 1000 / QUESTIONS));
  show('memory that reading takes', `${moreMb.toFixed(1)} MB`, {
    bar: `<= ${MAX_MORE_MB} MB`,
    holds: moreMb <= MAX_MORE_MB,
  });
  if (found === 0) throw new Error('nothing was found');
} finally {
  await stores.close();
  rmSync(directory, { recursive: true, force: true });
}
