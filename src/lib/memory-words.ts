const WORDS = /[\p{L}\p{N}]+/gu;
const MARKS = /\p{M}/gu;
/** A word longer than this is not a word: a digest, a line of base64. */
const MAX_WORD_CHARS = 40;

/**
 * The different words of a text, without case, accents and one-letter words: what an index holds
 * and what a question asks for, alike in every database.
 */
export function memoryWords(text: string, limit = Number.POSITIVE_INFINITY): readonly string[] {
  const found = new Set<string>();
  for (const [word] of text.normalize('NFKD').replaceAll(MARKS, '').toLowerCase().matchAll(WORDS)) {
    if (word.length < 2 || word.length > MAX_WORD_CHARS) continue;
    found.add(word);
    if (found.size >= limit) break;
  }
  return [...found];
}
