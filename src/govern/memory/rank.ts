import type { MemoryHit } from '../../domain/ports/memory.js';
import { memoryWords } from '../../lib/memory-words.js';
import { cosine, embedText } from '../../lib/ngram-embedding.js';

/** A hit with how well it fits, 0..1. */
export interface RankedMemory extends MemoryHit {
  readonly score: number;
}

/** Different words of a question that are looked for: those of a long task stand at its start. */
export const MAX_QUESTION_WORDS = 48;

/**
 * Orders what an index found: half of a score is the share of words that question and entry have in common (of the shorter of the two, a rare word counting
 * more), half the nearness of their wordings (cosine of hashed n-grams, so that `approve` and `approval` are near). Below `threshold` an entry is left out.
 * `near`: how near each is by another measure, -1..1, which then stands for that half; for all hits or for none.
 * `ownFirst` (scope `both`): what belongs to this person stands before what others wrote.
 */
export function rankMemories(
  hits: readonly MemoryHit[],
  ask: {
    readonly question: string;
    readonly threshold: number;
    readonly limit: number;
    readonly ownFirst: string | null;
    readonly near?: ReadonlyMap<string, number>;
  },
): readonly RankedMemory[] {
  const words = memoryWords(ask.question, MAX_QUESTION_WORDS);
  const question = embedText(words.join(' '));
  return hits
    .map((hit) => ({
      ...hit,
      score: scoreOf(hit, { asked: words.length, near: (text) => ask.near?.get(hit.memory.id) ?? cosine(question, embedText(text)) }),
    }))
    .filter(({ score }) => score >= ask.threshold)
    .sort((a, b) => foreign(a, ask.ownFirst) - foreign(b, ask.ownFirst) || b.score - a.score || (a.memory.id < b.memory.id ? -1 : 1))
    .slice(0, ask.limit);
}

const foreign = ({ memory }: MemoryHit, owner: string | null): number => (owner === null || memory.owner === owner ? 0 : 1);

/** Words of an entry that its score is made of: a long one is about what it begins with. */
const MAX_RANKED_WORDS = 64;

function scoreOf({ memory, match }: MemoryHit, { asked, near }: { readonly asked: number; readonly near: (text: string) => number }): number {
  const words = memoryWords(`${memory.subject} ${memory.attribute} ${memory.value}`, MAX_RANKED_WORDS);
  const shared = Math.min(1, match / Math.max(1, Math.min(asked, words.length)));
  return (shared + Math.max(0, near(words.join(' ')))) / 2;
}
