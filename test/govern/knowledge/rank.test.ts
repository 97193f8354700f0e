import { expect, it } from 'vitest';
import type { KnowledgeHit } from '../../../src/domain/ports/knowledge.js';
import { rankPassages } from '../../../src/govern/knowledge/rank.js';
import { knowledgeWords } from '../../../src/govern/knowledge/words.js';

const hit = (file: string, text: string, match: number, heading: string | null = null): KnowledgeHit => ({
  file,
  passage: { heading, lines: [1, 1], text },
  match,
});

it.each([
  ['refund', 'refunds'],
  ['policy', 'policies'],
  ['approve', 'approved'],
  ['approve', 'approving'],
  ['match', 'matches'],
  ['invoice', 'invoices'],
])('takes %s and %s for one word', (one, other) => {
  expect(knowledgeWords(one)).toEqual(knowledgeWords(other));
});

it.each(['status', 'process', 'bus', 'gas'])('leaves %s as it is', (word) => {
  expect(knowledgeWords(word)).toEqual([word]);
});

it('puts the passage first whose wording is nearest, with a score between 0 and 1', () => {
  const found = rankPassages(
    [hit('b.md', 'invoices are sent on Monday', 1), hit('a.md', 'a refund is paid within 30 days', 2)],
    {
      query: 'when are refunds paid',
      limit: 5,
    },
  );

  expect(found.map(({ file }) => file)).toEqual(['a.md', 'b.md']);
  for (const { score } of found) expect(score).toSatisfy((n: number) => n >= 0 && n <= 1);
  expect(Object.keys(found[0] ?? {})).toEqual(['file', 'heading', 'lines', 'text', 'score']);
});

it('counts a heading as text of what stands below it, and keeps to the limit', () => {
  const hits = [hit('a.md', 'within 30 days', 1), hit('b.md', 'within 30 days', 1, 'Refunds')];

  expect(rankPassages(hits, { query: 'refund days', limit: 1 }).map(({ file }) => file)).toEqual(['b.md']);
});

it('orders what fits equally well by file and line', () => {
  const hits = ['c.md', 'a.md', 'b.md'].map((file) => hit(file, 'the same words', 1));

  expect(rankPassages(hits, { query: 'same words', limit: 3 }).map(({ file }) => file)).toEqual([
    'a.md',
    'b.md',
    'c.md',
  ]);
});
