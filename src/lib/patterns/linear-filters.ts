import { type LinearEngine, linearPattern, type PatternTest } from './linear-pattern.js';

/** A function that filters of a JSONPath call, as its library keeps it. */
interface FilterFunction {
  call(...args: never[]): unknown;
}

/** A JSONPath that may hold a text against a pattern (RFC 9535, 2.4.6 and 2.4.7). */
export const hasPatternFilter = (query: string): boolean => /(?:match|search)\s*\(/u.test(query);

/**
 * Puts `match` and `search` of the linear engine in the place of those that a JSONPath library
 * brings: patterns of authors meet texts of models, tools and clients there. `strict` is a `search`
 * of the library that throws for what is not an I-Regexp (RFC 9485). What is none, and what the
 * engine does not take, matches nothing.
 */
export function putLinearFilters<F extends FilterFunction>(
  functions: Map<string, F>,
  {
    engine,
    strict,
  }: { readonly engine: LinearEngine; readonly strict: { call(text: string, pattern: string): unknown } },
): void {
  const forms = { match: (pattern: string) => `^(?:${pattern})$`, search: (pattern: string) => pattern };
  for (const [name, form] of Object.entries(forms)) {
    const before = functions.get(name);
    if (before === undefined) continue;
    const known = new Map<string, PatternTest | null>();
    const testOf = (pattern: string): PatternTest | null => {
      const test = known.get(pattern);
      if (test !== undefined) return test;
      const made = isPattern(strict, pattern) ? linearPattern(form(withDots(pattern)), engine) : null;
      // A pattern may be a value of the document.
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(pattern, made);
      return made;
    };
    const call = (text: unknown, pattern: unknown): boolean =>
      typeof text === 'string' && typeof pattern === 'string' && testOf(pattern)?.(text) === true;
    functions.set(name, Object.assign(Object.create(before), { call }) as F);
  }
}

const MOST_KNOWN = 64;

/** Held against no letter at all: nothing can be shared out in many ways. */
function isPattern(strict: { call(text: string, pattern: string): unknown }, pattern: string): boolean {
  try {
    strict.call('', pattern);
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

/** A dot of I-Regexp is anything but the two ends of a line. */
const withDots = (pattern: string): string =>
  pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\./gsu, (piece) => (piece === '.' ? String.raw`[^\n\r]` : piece));
