const MAX_WORDS = 12;
const MAX_WORD_CHARS = 60;

const NO_WORD = /[^\p{L}\p{N}_]+/u;

/** The words of a text, in lower case, in their order. */
const split = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(NO_WORD)
    .filter((word) => word !== '')
    .map((word) => word.slice(0, MAX_WORD_CHARS));

/** Words of any question, which say nothing about what is asked for. */
const COMMON = new Set(
  `an and any are as at be by can could did do does for from get got has have how if in into is it its me my need of on
  or our put should so that the their them there these they this to use using want was we what when where which while who
  why will with would you your`.split(/\s+/),
);

/**
 * The words of a query, in lower case, each once. Common words are left out, except where nothing
 * else is asked for.
 */
export function wordsOf(query: string): readonly string[] {
  const typed = split(query).filter((word) => word.length > 1);
  const telling = typed.filter((word) => !COMMON.has(word));
  return [...new Set(telling.length === 0 ? typed : telling)].slice(0, MAX_WORDS);
}

/** An ending, and how many letters must stand before it for it to be one. */
const ENDINGS: readonly (readonly [ending: string, minBefore: number])[] = [
  ['ation', 4],
  ['ing', 3],
  ['ed', 3],
  ['er', 5],
  ['al', 5],
  ['ion', 5],
];

const DOUBLED = /([bdfgmnprt])\1$/;

/**
 * A word without its English ending: `approve`, `approved`, `approvers` and `approval` are one. Two
 * words that have nothing to do with each other may become one; rare enough for a search.
 */
export function stem(word: string): string {
  const single = /(?:ss|us|is)$/.test(word) || word.length < 4 ? word : word.replace(/s$/, '');
  const ending = ENDINGS.find(([text, minBefore]) => single.endsWith(text) && single.length - text.length >= minBefore);
  const bare = ending === undefined ? single : single.slice(0, -ending[0].length).replace(DOUBLED, '$1');
  return bare.length > 3 ? bare.replace(/e$/, '').replace(/ie?$/, 'y') : bare;
}

/** The words of a text without their endings. */
export const stemsOf = (text: string): readonly string[] => split(text).map(stem);

/** What a name tells, each word once: `The server` is about a server alone. */
export const tellingOf = (name: string): readonly string[] => [
  ...new Set(
    split(name)
      .filter((word) => !COMMON.has(word))
      .map(stem),
  ),
];
