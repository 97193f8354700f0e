import type { Diagnostic, Span } from '../../domain/diagnostic.js';
import type { LineIndex } from '../../lib/line-index.js';

/** One source line with a place in it, as terminal columns. */
export interface Excerpt {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly markStart: number;
  readonly markWidth: number;
}

/** Of a longer line no more is looked at on each side of the place: each problem shows its line. */
const NEAR_CHARS = 500;

const TAB = '    ';
const CUT = '...';

// A terminal obeys control characters; a file must not be able to move the cursor or recolour what
// follows.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Characters that take two columns: East Asian wide forms and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NO_WIDTH = /^\p{Mark}+$/u;

const safe = (text: string): string => text.replaceAll('\t', TAB).replaceAll(CONTROL, '\ufffd');

/**
 * Text for one line of a terminal, and all of it: one blank stands in place of line breaks and of
 * the blanks around them. No pattern does it in linear time.
 */
export const wholeLine = (text: string): string => {
  const lines = text.split(/[\r\n]+/);
  const last = lines.length - 1;
  const inner = lines.slice(1, -1).flatMap((line) => line.trim() || []);
  return safe(last === 0 ? text : [lines[0]?.trimEnd(), ...inner, lines[last]?.trimStart()].join(' '));
};

interface Cell {
  readonly text: string;
  readonly columns: number;
}

function cellsOf(text: string): readonly Cell[] {
  return [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(({ segment }) => {
    if (segment === '\t') return { text: TAB, columns: TAB.length };
    const shown = safe(segment);
    return { text: shown, columns: NO_WIDTH.test(shown) ? 0 : WIDE.test(shown) ? 2 : 1 };
  });
}

const columnsOf = (cells: readonly Cell[]): number => cells.reduce((sum, cell) => sum + cell.columns, 0);
const textOf = (cells: readonly Cell[]): string => cells.map((cell) => cell.text).join('');

/** The longest part of the cells, from their end (or beginning), that fits into so many columns. */
function fitting(cells: readonly Cell[], columns: number, from: 'start' | 'end'): readonly Cell[] {
  const ordered = from === 'start' ? cells : cells.toReversed();
  let used = 0;
  const kept = [];
  for (const cell of ordered) {
    used += cell.columns;
    if (used > columns) break;
    kept.push(cell);
  }
  return from === 'start' ? kept : kept.toReversed();
}

export interface ExcerptOptions {
  /** Columns. */
  readonly width: number;
  readonly hides?: Diagnostic['hides'] | undefined;
  /**
   * Offset in the text from which the rest of this very line may be a secret, as another diagnostic
   * says; undefined = nothing is.
   */
  readonly hiddenFrom?: number | undefined;
}

const HIDDEN = '***';

/**
 * The line without what may be a secret. Both ways hide the rest of the line: a secret need not end
 * where its place does.
 */
function hidden(
  line: string,
  place: { readonly start: number; readonly end: number },
  hides: Diagnostic['hides'],
): { readonly source: string; readonly end: number } {
  if (hides === undefined) return { source: line, end: place.end };
  if (hides === 'place') return { source: `${line.slice(0, place.start)}${HIDDEN}`, end: place.start + HIDDEN.length };
  return { source: `${line.slice(0, place.end)}: ${HIDDEN}`, end: place.end };
}

/**
 * The line that a span begins on, cut to a number of columns around it. A span over several lines
 * is marked on its first.
 */
export function excerptOf(lines: LineIndex, span: Span, options: ExcerptOptions): Excerpt {
  const { line, column } = lines.placeAt(span.start);
  const place = { start: column - 1, end: span.end - lines.lineStart(line) };
  const own = hidden(lines.lineText(line), place, options.hides);
  const ownAt = options.hides === undefined ? own.source.length : options.hides === 'place' ? place.start : place.end;
  const hiddenAt = options.hiddenFrom === undefined ? ownAt : options.hiddenFrom - lines.lineStart(line);
  const { source, end } = hiddenAt < ownAt ? { ...own, source: `${own.source.slice(0, hiddenAt)}${HIDDEN}` } : own;
  const from = Math.min(column - 1, source.length);
  const to = Math.min(Math.max(end, from), source.length);
  const [before, marked, after] = [
    cellsOf(source.slice(Math.max(0, from - NEAR_CHARS), from)),
    cellsOf(source.slice(from, Math.min(to, from + NEAR_CHARS))),
    cellsOf(source.slice(to, to + NEAR_CHARS)),
  ];
  const [isBeforeCut, isMarkedCut, isAfterCut] = [from, to - from, source.length - to].map(
    (chars) => chars > NEAR_CHARS,
  );
  const isWhole = isBeforeCut !== true && isMarkedCut !== true && isAfterCut !== true;
  const room = Math.max(20, options.width - String(line).length - 3);
  if (isWhole && columnsOf(before) + columnsOf(marked) + columnsOf(after) <= room) {
    return {
      line,
      text: textOf([...before, ...marked, ...after]),
      markStart: columnsOf(before),
      markWidth: Math.max(1, columnsOf(marked)),
    };
  }
  const shown = fitting(marked, room - 2 * CUT.length, 'start');
  const lead = fitting(before, Math.max(0, Math.floor((room - columnsOf(shown)) / 2) - CUT.length), 'end');
  const tail = fitting(after, Math.max(0, room - columnsOf(shown) - columnsOf(lead) - 2 * CUT.length), 'start');
  const hasMore = isMarkedCut === true || shown.length < marked.length;
  const leading = isBeforeCut === true || lead.length < before.length ? CUT : '';
  const trailing = hasMore || isAfterCut === true || tail.length < after.length ? CUT : '';
  return {
    line,
    text: `${leading}${textOf(lead)}${textOf(shown)}${textOf(hasMore ? [] : tail)}${trailing}`,
    markStart: leading.length + columnsOf(lead),
    markWidth: Math.max(1, columnsOf(shown)),
  };
}
