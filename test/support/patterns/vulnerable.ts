/** A letter as a pattern names it, and one that fits. */
const ATOMS: readonly (readonly [pattern: string, letter: string])[] = [
  ['a', 'a'],
  ['[a-z]', 'q'],
  [String.raw`\w`, 'w'],
  [String.raw`\d`, '7'],
  [String.raw`\s`, ' '],
  ['.', '.'],
  ['[^b]', 'c'],
  ['(?:a)', 'a'],
  ['é', 'é'],
  [String.raw`\p{L}`, 'ж'],
];

/** What makes an engine that goes back try again for each way to share out the letters. */
const SHAPES: readonly ((x: string) => string)[] = [
  (x) => `^(${x}+)+$`,
  (x) => `^(${x}*)*$`,
  (x) => `^(${x}+)*$`,
  (x) => `^(${x}*)+$`,
  (x) => `^(${x}|${x}${x})+$`,
  (x) => `^(${x}|${x}?)+$`,
  (x) => `^(${x}|${x})*$`,
  (x) => `^(.*${x}){12}$`,
  (x) => `^(${x}+${x}+)+y$`,
  (x) => `^(${x}+)*!?$`,
  (x) => `^((${x}+)+)+$`,
  (x) => `^(${x}{1,20}){1,20}$`,
  (x) => `^(${x}+)+(${x}+)+$`,
  (x) => `(${x}+)+[A-Y]Z`,
  (x) => `^(${x}?){30}${x}{30}Z$`,
  (x) => `^(?:${x}*,?)*Z$`,
  (x) => `(?:${x}+)+Z`,
  (x) => `^${x}*${x}*${x}*${x}*${x}*Z$`,
  (x) => `^(?:(?:${x}|q)+)*Z$`,
  (x) => `^(${x}+?)+?Z$`,
];

/** Patterns whose time doubles with every letter or two, for an engine that goes back. */
export const VULNERABLE: readonly string[] = SHAPES.flatMap((shape) => ATOMS.map(([pattern]) => shape(pattern)));

const LENGTH = 60;
const ENDS = ['!', '\n!', 'ZZ\u0000'];

/** What comes near to fitting a pattern, and fails at its end. */
const textsFor = (index: number): readonly string[] => {
  const [, letter = ''] = ATOMS[index % ATOMS.length] ?? [];
  return ENDS.map((end) => letter.repeat(LENGTH) + end);
};

/** How often a pattern meets a text made for it in `HOSTILE`. */
export const MEETINGS = VULNERABLE.length * ENDS.length;

/** Each pattern with what it meets. */
export const HOSTILE: readonly (readonly [pattern: string, texts: readonly string[]])[] = VULNERABLE.map(
  (pattern, index) => [pattern, textsFor(index)],
);

/** A schema with all of the patterns: each stands over a list of texts. */
export const HOSTILE_SCHEMA = {
  type: 'object',
  properties: Object.fromEntries(
    VULNERABLE.map((pattern, index) => [`p${index}`, { type: 'array', items: { type: 'string', pattern } }]),
  ),
} as const;

/** A value for it, with every text. */
export const HOSTILE_VALUE: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  VULNERABLE.map((_, index) => [`p${index}`, textsFor(index)]),
);
