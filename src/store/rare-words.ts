/** A word of a question, and how many entries of what is searched hold it. */
export interface CountedWord {
  readonly word: string;
  readonly count: number;
}

/** How far a search goes. */
export interface SearchBounds {
  /** Entries that are looked through for one question, over all its words: the rare ones first. */
  readonly maxPostings: number;
  /**
   * Entries of one word are counted up to here: of a word that was not counted to its end nobody
   * knows how many hold it.
   */
  readonly counted: number;
}

/** A word that is in so many entries weighs next to nothing. */
const COMMON = 1_000;

/**
 * Words by how much they say, relative to the mean of the words that were asked for; the common
 * ones are left out once enough entries are at hand. A word that nothing holds is as rare as one
 * that a single entry holds.
 */
export function rareWords(
  asked: readonly CountedWord[],
  { maxPostings, counted }: SearchBounds,
): ReadonlyMap<string, number> {
  const known = asked.filter(({ count }) => count > 0).sort((a, b) => a.count - b.count || (a.word < b.word ? -1 : 1));
  const sum = known.reduce((total, { count }) => total + weightOf(count), (asked.length - known.length) * weightOf(1));
  const mean = sum / asked.length;
  const chosen = new Map<string, number>();
  let postings = 0;
  for (const { word, count } of known) {
    if (chosen.size > 0 && (count >= counted || postings + count > maxPostings)) break;
    postings += count;
    chosen.set(word, weightOf(count) / mean);
  }
  return chosen;
}

const weightOf = (count: number): number => Math.log(1 + COMMON / count);
