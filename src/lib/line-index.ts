/** A place as editors name it. Both from 1; the column counts UTF-16 units. */
export interface LinePlace {
  readonly line: number;
  readonly column: number;
}

/** Lines of a text, found once. */
export interface LineIndex {
  placeAt(offset: number): LinePlace;
  /** Text of a line (from 1) without its line break. */
  lineText(line: number): string;
  /** Offset of a line's first character. */
  lineStart(line: number): number;
}

/**
 * Line breaks are LF, CRLF and lone CR, as in YAML. A byte order mark takes no column: editors do
 * not count it.
 */
export function indexLines(text: string): LineIndex {
  const starts = [text.startsWith('\uFEFF') ? 1 : 0];
  for (const found of text.matchAll(/\r\n|\n|\r/g)) starts.push(found.index + found[0].length);
  const lineAt = (offset: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    placeAt: (offset) => {
      const line = lineAt(offset);
      return { line: line + 1, column: Math.max(1, offset - (starts[line] ?? 0) + 1) };
    },
    lineText: (line) => {
      const start = starts[line - 1] ?? text.length;
      let end = starts[line] ?? text.length;
      while (end > start && (text[end - 1] === '\n' || text[end - 1] === '\r')) end -= 1;
      return text.slice(start, end);
    },
    lineStart: (line) => starts[line - 1] ?? text.length,
  };
}

interface Indexed {
  readonly text: string;
  readonly lines: LineIndex;
}

const indexed = new WeakMap<ReadonlyMap<string, string>, Map<string, Indexed>>();

/**
 * Lines of one of several texts; null where it is not among them. They are found once for as long
 * as the text is the same: a file may have as many problems as lines.
 */
export function linesIn(sources: ReadonlyMap<string, string>, path: string): LineIndex | null {
  const text = sources.get(path);
  if (text === undefined) return null;
  const known = indexed.get(sources) ?? new Map<string, Indexed>();
  indexed.set(sources, known);
  const found = known.get(path);
  if (found?.text === text) return found.lines;
  const lines = indexLines(text);
  known.set(path, { text, lines });
  return lines;
}
