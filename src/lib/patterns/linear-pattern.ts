import type { RE2JS } from 're2js';

/** The engine that matches in a time that grows with the text alone; 0.3 MB, so it comes late. */
export type LinearEngine = typeof RE2JS;

/** Whether a pattern is found in a text. */
export type PatternTest = (text: string) => boolean;

/** What JavaScript calls white space; the engine's own `\s` is that of ASCII. */
const SPACE = String.raw`\t\n\v\f\r \x{00a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const NOT_LINE_END = String.raw`[^\n\r\x{2028}\x{2029}]`;

/** One escape, or one character: escapes are never cut. */
const PIECE = /\\u\{[0-9a-f]+\}|\\u[0-9a-f]{4}|\\.|\[\^\]|\[\]|./gisu;
/** Escapes that mean the same in both dialects. `\p` of a name that RE2 lacks is refused by it. */
const SAME = /^\\[\^$\\.*+?()[\]{}|/dDwWbBtnvfrxpP-]$/u;

interface Written {
  readonly text: string;
  readonly inClass: boolean;
}

function escapeOf(piece: string, inClass: boolean): string | null {
  if (piece.startsWith('\\u')) {
    const code = piece.replace(/[^0-9a-f]/gi, '');
    // Two escapes of halves are one character in JavaScript.
    return /^d[89a-f]/i.test(code) && code.length === 4 ? null : `\\x{${code}}`;
  }
  if (piece === '\\s') return inClass ? SPACE : `[${SPACE}]`;
  if (piece === '\\S') return inClass ? null : `[^${SPACE}]`;
  if (piece === '\\/') return '/';
  return SAME.test(piece) ? piece : null;
}

function write(piece: string, inClass: boolean): Written | null {
  if (piece.startsWith('\\')) {
    const text = escapeOf(piece, inClass);
    return text === null ? null : { text, inClass };
  }
  // An opened class in a class is a letter in one dialect and a named class in the other.
  if (inClass) return piece === '[' ? { text: '\\[', inClass } : { text: piece, inClass: piece !== ']' };
  if (piece === '.') return { text: NOT_LINE_END, inClass };
  if (piece === '[^]' || piece === '[]') return null;
  return { text: piece, inClass: piece === '[' };
}

/** A pattern of JavaScript (flag `u`) in the words of RE2; null = it says what RE2 cannot. */
function translate(source: string): string | null {
  let inClass = false;
  let text = '';
  for (const [piece] of source.matchAll(PIECE)) {
    const next = write(piece, inClass);
    if (next === null) return null;
    text += next.text;
    inClass = next.inClass;
  }
  return text.replaceAll('(?<', '(?P<');
}

/** What looks around, and the rare `(?<` that names no group: after a backslash, in a class. */
const LOOKS_AROUND = /\(\?<?[=!]|\\\(\?</u;
const looksAround = (source: string): boolean => LOOKS_AROUND.test(source) || source.split(']').some(opensBeforeGroup);
function opensBeforeGroup(part: string): boolean {
  const at = part.indexOf('[');
  return at >= 0 && part.includes('(?<', at);
}

/** False: the pattern says what the words of RE2 cannot. */
const isTranslatable = (source: string): boolean => !looksAround(source) && translate(source) !== null;

/**
 * How a pattern of JavaScript (flag `u`) is looked for in linear time; null = the engine does not
 * take it (lookaround, back references, repetitions over 1000). Throws what `RegExp` throws for a
 * text that is not a pattern.
 */
export function linearPattern(source: string, engine: LinearEngine): PatternTest | null {
  new RegExp(source, 'u');
  if (looksAround(source)) return null;
  const text = translate(source);
  if (text === null) return null;
  try {
    const pattern = engine.compile(text);
    // Without groups to fill: a megabyte in some 30 ms, whatever the pattern.
    return (value) => pattern.test(value);
  } catch {
    return null;
  }
}

/** Back references, and repetitions that a linear engine would have to unroll. */
const BACK_REFERENCE = /\\(?:[1-9]|k<)/u;
const REPETITION = /\{(\d+)(?:,(\d*))?\}/gu;
const MAX_REPETITIONS = 1000;

/** `\\1` is a backslash and a one, `[{9999}]` are letters. */
function withoutLetters(source: string): string {
  let inClass = false;
  let text = '';
  for (const [piece] of source.matchAll(PIECE)) {
    if (inClass) inClass = piece !== ']';
    else if (piece === '[') inClass = true;
    else if (piece !== '\\\\' && piece !== '[]' && piece !== '[^]') text += piece;
  }
  return text;
}

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
