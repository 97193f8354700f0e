/** Numbers in a vector unless a caller says otherwise: 10,000 texts are 20 MB. */
export const EMBEDDING_DIMENSIONS = 512;

/** A text as a vector of length 1 (all zero where the text holds no letter and no digit). */
export type Embedding = Float32Array;

/**
 * A whole word says more than a piece of one: two texts that share words are nearer than two that
 * share endings.
 */
const WORD_WEIGHT = 3;
const PIECE_WEIGHT = 1;
const PIECE_LENGTH = 3;
const WORDS = /[\p{L}\p{N}]+/gu;

/**
 * Embedding of a text without a model: words and the three-letter pieces of words, each hashed to
 * one place of the vector with a sign, counted by the root of how often it occurs. The same text
 * gives the same vector on every machine and in every process, so stored vectors stay comparable as
 * long as `dimensions` does. Case, width and punctuation do not count. It measures shared wording,
 * not meaning: synonyms are far apart.
 */
export function embedText(text: string, dimensions: number = EMBEDDING_DIMENSIONS): Embedding {
  const vector = new Float32Array(dimensions);
  for (const [hashed, { count, weight }] of featuresOf(text)) {
    const place = hashed % dimensions;
    // The sign comes from bits that the place does not decide, so that two features at one place
    // cancel out on average.
    const sign = ((Math.imul(hashed, 0x9e3779b1) >>> 31) & 1) === 1 ? 1 : -1;
    vector[place] = (vector[place] ?? 0) + sign * weight * Math.sqrt(count);
  }
  return normalised(vector);
}

/**
 * Cosine of the angle between two embeddings, -1..1; 0 where one of them is of an empty text or the
 * two differ in length. Vectors need not be of length 1: embeddings of a provider are taken as they
 * come.
 */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return 0;
  let dot = 0;
  let squareA = 0;
  let squareB = 0;
  for (let index = 0; index < a.length; index++) {
    const x = a[index] ?? 0;
    const y = b[index] ?? 0;
    dot += x * y;
    squareA += x * x;
    squareB += y * y;
  }
  const cosineOf = dot / Math.sqrt(squareA * squareB);
  return Number.isFinite(cosineOf) ? Math.min(1, Math.max(-1, cosineOf)) : 0;
}

interface Feature {
  count: number;
  readonly weight: number;
}

/** Features by their hash, which is all that a vector knows of them. */
function featuresOf(text: string): ReadonlyMap<number, Feature> {
  const features = new Map<number, Feature>();
  const add = (hashed: number, weight: number): void => {
    const known = features.get(hashed);
    if (known === undefined) features.set(hashed, { count: 1, weight });
    else known.count += 1;
  };
  const [words, pieces] = [fnv1a('w:'), fnv1a('p:')];
  for (const [word] of text.normalize('NFKC').toLowerCase().matchAll(WORDS)) {
    add(fnv1a(word, words), WORD_WEIGHT);
    const letters = [...`^${word}$`];
    for (let at = 0; at + PIECE_LENGTH <= letters.length; at++) {
      let hashed = pieces;
      for (let letter = at; letter < at + PIECE_LENGTH; letter++) hashed = fnv1a(letters[letter] ?? '', hashed);
      add(hashed, PIECE_WEIGHT);
    }
  }
  return features;
}

function normalised(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
}

/**
 * FNV-1a over UTF-16 code units, 32 bits (http://www.isthe.com/chongo/tech/comp/fnv/); `from` goes
 * on with the hash of what stands before.
 */
function fnv1a(text: string, from = 0x811c9dc5): number {
  let hashed = from;
  for (let at = 0; at < text.length; at++) hashed = Math.imul(hashed ^ text.charCodeAt(at), 0x01000193);
  return hashed >>> 0;
}
