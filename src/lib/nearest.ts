/** Edit distance with adjacent swaps, cut off once it exceeds `limit`. */
function distance(a: string, b: string, limit: number): number {
  let before: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
          ? (before[j - 2] ?? 0) + 1
          : Number.POSITIVE_INFINITY;
      row.push(Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost, swapped));
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? limit + 1;
}

/**
 * The same for whole words. What both begin and end with decides nothing: ids of one workspace
 * share most of their letters.
 */
function distanceOfWords(a: string, b: string, limit: number): number {
  const excess = Math.abs(a.length - b.length);
  if (excess > limit) return limit + 1;
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return distance(a.slice(start, a.length - end), b.slice(start, b.length - end), limit);
}

/**
 * What to type instead of a word that names nothing: the likely one of the known, else `fallback`.
 * Every place where a user names one of a known set says it with this sentence;
 * test/cli/likely-words.test.ts lists the places.
 */
export function hintFor(
  word: string,
  known: Iterable<string>,
  options: { readonly prefix?: string; readonly fallback: string },
): string {
  const meant = nearest(word, known);
  return meant === null ? options.fallback : `Did you mean ${options.prefix ?? ''}${meant}?`;
}

/**
 * The candidate a misspelt word was probably meant to be, or null. A third of the word may differ,
 * at most three characters. Of several that are equally near: the first, or without an order of the
 * candidates the first by code unit.
 */
export function nearest(
  word: string,
  candidates: Iterable<string>,
  { isOrdered = true }: { readonly isOrdered?: boolean } = {},
): string | null {
  const limit = Math.min(3, Math.max(1, Math.floor(word.length / 3)));
  let best: string | null = null;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    const found = distanceOfWords(word, candidate, limit);
    const isNearer =
      found < bestDistance || (!isOrdered && found === bestDistance && best !== null && candidate < best);
    if (!isNearer) continue;
    best = candidate;
    bestDistance = found;
  }
  return best;
}
