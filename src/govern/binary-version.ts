/** A version as its numbers: `2.40.1` = [2, 40, 1]. */
type Numbers = readonly number[];

/** What a pack asks of a binary: `>=2.40`. */
const WANTED = /^(>=|<=|==|>|<)\s*(\d+(?:\.\d+){0,3})$/;
/**
 * The first thing in a greeting that looks like a version: `git version 2.40.1`, `v24.1.0`,
 * `jq-1.7.1`.
 */
const FOUND = /(?<![\d.])\d+(?:\.\d+){1,3}|(?<=\bversion\s|\bv)\d+\b/i;

const numbersOf = (text: string): Numbers => text.split('.').map(Number);

/** The version in what a program says of itself; null = there is none. */
export const versionIn = (said: string): string | null => FOUND.exec(said)?.[0] ?? null;

/**
 * Whether a version is one that is asked for. It is compared as far as the wish is written: 2.40.5
 * is `==2.40` and `<=2.40`, and not `>2.40`. A wish of another form is met by nothing.
 */
export function meetsVersion(found: string, wanted: string): boolean {
  const [, operator, text] = WANTED.exec(wanted.trim()) ?? [];
  if (operator === undefined || text === undefined) return false;
  const order = compare(numbersOf(found), numbersOf(text));
  switch (operator) {
    case '>=':
      return order >= 0;
    case '<=':
      return order <= 0;
    case '==':
      return order === 0;
    case '>':
      return order > 0;
    default:
      return order < 0;
  }
}

function compare(found: Numbers, wanted: Numbers): number {
  for (const [index, number] of wanted.entries()) {
    const difference = (found[index] ?? 0) - number;
    if (difference !== 0) return difference;
  }
  return 0;
}
