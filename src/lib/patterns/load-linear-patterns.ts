import type { PatternTest } from './linear-pattern.js';

interface FilterFunction {
  call(...args: never[]): unknown;
}

/** Patterns in a time that grows with the text alone, for texts that nobody vouches for. */
export interface LinearPatterns {
  /**
   * How a pattern of JavaScript (flag `u`) is looked for; null = the engine does not take it: it
   * looks around, refers back, or repeats over 1000 times. Throws for a text that is not a pattern.
   */
  testOf(source: string): PatternTest | null;
  /**
   * Puts `match` and `search` of this engine in the place of those of a JSONPath library. `strict`
   * is a `search` of the library that throws for what is not an I-Regexp.
   */
  putInto<F extends FilterFunction>(
    functions: Map<string, F>,
    strict: { call(text: string, pattern: string): unknown },
  ): void;
}

/** Loads the engine, 0.3 MB: late, and once. */
export async function loadLinearPatterns(): Promise<LinearPatterns> {
  const [{ RE2JS: engine }, { linearPattern }, { putLinearFilters }] = await Promise.all([
    import('re2js'),
    import('./linear-pattern.js'),
    import('./linear-filters.js'),
  ]);
  return {
    testOf: (source) => linearPattern(source, engine),
    putInto: (functions, strict) => putLinearFilters(functions, { engine, strict }),
  };
}
