import { cosine, type Embedding, embedText } from './ngram-embedding.js';

/** A question, and what was found for it. */
export interface Wording {
  /** Different words of the question. */
  readonly asked: number;
  /** `embedText` of them. */
  readonly question: Embedding;
  /** Rarity of the asked words that the text holds, in words of mean rarity. */
  readonly match: number;
  readonly words: readonly string[];
  /**
   * How near both are by a measure other than their wordings, -1..1; it takes the place of that
   * half.
   */
  readonly near?: number | undefined;
}

/**
 * How well a text fits a question, 0..1: half of it is the share of words that both have in common
 * (of the shorter of the two, a rare word counting more), half the nearness of their wordings
 * (cosine of hashed n-grams, so that `approve` and `approval` are near).
 */
export function wordingScore({ asked, question, match, words, near }: Wording): number {
  const shared = Math.min(1, match / Math.max(1, Math.min(asked, words.length)));
  return (shared + Math.max(0, near ?? cosine(question, embedText(words.join(' '))))) / 2;
}
