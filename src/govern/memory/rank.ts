import type { MemoryHit } from '../../domain/ports/memory.js';
import { memoryWords } from '../../lib/memory-words.js';
import { embedText } from '../../lib/ngram-embedding.js';
import { wordingScore } from '../../lib/wording-score.js';

/** A hit with how well it fits, 0..1. */
export interface RankedMemory extends MemoryHit {
  readonly score: number;
}

/** Different words of a question that are looked for: those of a long task stand at its start. */
export const MAX_QUESTION_WORDS = 48;

/**
 * Orders what an index found by `wordingScore`. Below `threshold` an entry is left out.
 * `near`: how near each is by another measure than its wording, -1..1; for all hits or for none.
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
      score: wordingScore({
        asked: words.length,
        question,
        match: hit.match,
        words: wordsOf(hit.memory),
        near: ask.near?.get(hit.memory.id),
      }),
    }))
    .filter(({ score }) => score >= ask.threshold)
    .sort(
      (a, b) =>
        foreign(a, ask.ownFirst) - foreign(b, ask.ownFirst) ||
        b.score - a.score ||
        (a.memory.id < b.memory.id ? -1 : 1),
    )
    .slice(0, ask.limit);
}

const foreign = ({ memory }: MemoryHit, owner: string | null): number =>
  owner === null || memory.owner === owner ? 0 : 1;

/** Words of an entry that its score is made of: a long one is about what it begins with. */
const MAX_RANKED_WORDS = 64;

const wordsOf = ({ subject, attribute, value }: MemoryHit['memory']): readonly string[] =>
  memoryWords(`${subject} ${attribute} ${value}`, MAX_RANKED_WORDS);
