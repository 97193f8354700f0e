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

/** What looks around, and the rare `(?<` that names no group: in a class, after a backslash. */
const LOOKS_AROUND = /\(\?<?[=!]|\[[^\]]*\(\?<|\\\(\?</u;

/** False: the pattern says what the words of RE2 cannot. */
export const isTranslatable = (source: string): boolean => !LOOKS_AROUND.test(source) && translate(source) !== null;

/**
 * How a pattern of JavaScript (flag `u`) is looked for in linear time; null = the engine does not
 * take it (lookaround, back references, repetitions over 1000). Throws what `RegExp` throws for a
 * text that is no pattern.
 */
export function linearPattern(source: string, engine: LinearEngine): PatternTest | null {
  new RegExp(source, 'u');
  if (LOOKS_AROUND.test(source)) return null;
  const text = translate(source);
  if (text === null) return null;
  try {
    const pattern = engine.compile(text);
    return (value) => pattern.matcher(value).find();
  } catch {
    return null;
  }
}
