import type { KnowledgePassage } from '../../domain/knowledge.js';

/**
 * Characters of a passage: a few paragraphs, so that an agent reads some of them for what one file
 * would cost.
 */
export const MAX_PASSAGE_CHARS = 1_200;

/** Consecutive lines of a document. */
export interface Section {
  readonly heading: string | null;
  /** Number of the first line, from 1. */
  readonly from: number;
  readonly lines: readonly string[];
}

/**
 * Lines of a text, whatever ends them; control characters, which say nothing and not every database
 * takes, become spaces.
 */
export const linesOf = (text: string): readonly string[] =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  text.split(/\r\n|\n|\r/).map((line) => line.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' '));

/** A plain text: paragraphs, as many as fit into a passage. */
export const textPassages = (text: string, heading: string | null = null): readonly KnowledgePassage[] =>
  sectionPassages({ heading, from: 1, lines: linesOf(text) });

/**
 * The passages of a section: whole paragraphs where they fit, else whole lines, else pieces of a
 * line.
 */
export function sectionPassages({ heading, from, lines }: Section): readonly KnowledgePassage[] {
  const passages: KnowledgePassage[] = [];
  let first = 0;
  /** Behind the last blank line since `first`; a passage is cut there. */
  let cut = 0;
  const close = (end: number): void => {
    const passage = passageOf({ heading, from, lines }, first, end);
    if (passage !== null) passages.push(passage);
    first = end;
    cut = end;
  };
  let chars = 0;
  for (const [at, line] of lines.entries()) {
    if (chars + line.length > MAX_PASSAGE_CHARS && at > first) {
      close(cut > first ? cut : at);
      chars = lines.slice(first, at).reduce((sum, { length }) => sum + length + 1, 0);
      // A paragraph that does not fit even from its start is cut between its lines.
      if (chars + line.length > MAX_PASSAGE_CHARS && at > first) {
        close(at);
        chars = 0;
      }
    }
    if (line.length > MAX_PASSAGE_CHARS) {
      passages.push(...piecesOf(heading, from + at, line));
      first = at + 1;
      cut = first;
      chars = 0;
      continue;
    }
    chars += line.length + 1;
    if (line.trim() === '') cut = at + 1;
  }
  close(lines.length);
  return passages;
}

function passageOf({ heading, from, lines }: Section, start: number, end: number): KnowledgePassage | null {
  let [first, last] = [start, end - 1];
  while (first <= last && lines[first]?.trim() === '') first += 1;
  while (last >= first && lines[last]?.trim() === '') last -= 1;
  if (first > last) return null;
  return { heading, lines: [from + first, from + last], text: lines.slice(first, last + 1).join('\n') };
}

/** A line without an end: each piece cites it. */
function piecesOf(heading: string | null, n: number, line: string): readonly KnowledgePassage[] {
  const count = Math.ceil(line.length / MAX_PASSAGE_CHARS);
  return Array.from({ length: count }, (_, at) =>
    line.slice(at * MAX_PASSAGE_CHARS, (at + 1) * MAX_PASSAGE_CHARS).toWellFormed(),
  )
    .filter((text) => text.trim() !== '')
    .map((text) => ({ heading, lines: [n, n], text }));
}
