import { isTranslatable } from './linear-pattern.js';

/** Back references, and repetitions that a linear engine would have to unroll. */
const BACK_REFERENCE = /\\(?:[1-9]|k<)/u;
const REPETITION = /\{(\d+)(?:,(\d*))?\}/gu;
const MAX_REPETITIONS = 1000;

/** `\\1` is a backslash and a one, `[{9999}]` are letters. */
const withoutLetters = (source: string): string => source.replace(/\\\\/gu, '').replace(/\[(?:\\.|[^\]\\])*\]/gu, '');

/**
 * Whether the linear engine leaves a pattern to one that has a limit of time; without loading
 * either.
 */
export function isTimedPattern(source: string): boolean {
  if (!isTranslatable(source)) return true;
  const text = withoutLetters(source);
  if (BACK_REFERENCE.test(text)) return true;
  return [...text.matchAll(REPETITION)].some(([, least, most]) =>
    [least, most].some((count) => Number(count ?? 0) > MAX_REPETITIONS),
  );
}

/** Patterns of a schema that are looked for within a limit of time, each once. */
export function timedPatterns(schema: unknown): readonly string[] {
  const found = new Set<string>();
  const add = (source: string): void => {
    if (isTimedPattern(source)) found.add(source);
  };
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, below] of Object.entries(value)) {
      if (key === 'pattern' && typeof below === 'string') add(below);
      if (key === 'patternProperties' && typeof below === 'object' && below !== null) Object.keys(below).forEach(add);
      // What these hold is a value, and no schema.
      if (key !== 'const' && key !== 'enum' && key !== 'default' && key !== 'examples') walk(below);
    }
  };
  walk(schema);
  return [...found];
}
