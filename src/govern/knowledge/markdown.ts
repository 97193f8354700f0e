import type { KnowledgePassage } from '../../domain/knowledge.js';
import { linesOf, type Section, sectionPassages } from './passages.js';

/** A heading is cited whole as long as a person would write it so. */
const MAX_HEADING_CHARS = 200;
/** ATX headings and fences of CommonMark 0.31 (4.2, 4.5): up to three spaces before them. */
const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** The line below a heading of the other form (4.3). */
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
/** Lines that are not a paragraph, so that a line of dashes below them is a rule. */
const NO_PARAGRAPH = /^(?: {4}|\t| {0,3}(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]|\|))/;

interface Found {
  readonly level: number;
  readonly text: string;
  /** Index of its first line. */
  readonly at: number;
}

/**
 * Passages of a Markdown document: each lies below one heading, and its heading names those above
 * it too.
 */
export function markdownPassages(text: string): readonly KnowledgePassage[] {
  const lines = linesOf(text);
  const headings = headingsOf(lines);
  const sections: Section[] = [{ heading: null, from: 1, lines: lines.slice(0, headings[0]?.at ?? lines.length) }];
  const above: Found[] = [];
  for (const [index, heading] of headings.entries()) {
    while ((above.at(-1)?.level ?? 0) >= heading.level) above.pop();
    above.push(heading);
    const end = headings[index + 1]?.at ?? lines.length;
    const path = above.map((one) => one.text).filter((one) => one !== '');
    sections.push({
      heading: path.length === 0 ? null : path.join(' > '),
      from: heading.at + 1,
      lines: lines.slice(heading.at, end),
    });
  }
  return sections.flatMap(sectionPassages);
}

function headingsOf(lines: readonly string[]): readonly Found[] {
  const found: Found[] = [];
  let fence: string | null = null;
  for (let at = frontMatterEnd(lines); at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const marker = FENCE.exec(line)?.[1] ?? null;
    if (fence !== null) {
      // The end is at least as long as the start, of the same sign, with nothing behind it.
      if (marker?.startsWith(fence) === true && line.trim() === marker) fence = null;
      continue;
    }
    if (marker !== null) {
      fence = marker;
      continue;
    }
    const atx = ATX.exec(line);
    if (atx !== null) found.push({ level: atx[1]?.length ?? 1, text: shown(atx[2] ?? ''), at });
    else if (isUnderlined(lines, at, found.at(-1)?.at ?? -1))
      found.push({ level: lines[at + 1]?.trim().startsWith('=') === true ? 1 : 2, text: shown(line), at });
  }
  return found;
}

const shown = (text: string): string => text.trim().slice(0, MAX_HEADING_CHARS).toWellFormed();

/** The first line of a paragraph with a line of `=` or `-` right below. */
function isUnderlined(lines: readonly string[], at: number, lastHeading: number): boolean {
  const [before, line, below] = [lines[at - 1] ?? '', lines[at] ?? '', lines[at + 1]];
  if (
    below === undefined ||
    !UNDERLINE.test(below) ||
    line.trim() === '' ||
    UNDERLINE.test(line) ||
    NO_PARAGRAPH.test(line)
  )
    return false;
  return before.trim() === '' || lastHeading === at - 1 || UNDERLINE.test(before);
}

/** Metadata between two lines of `---` at the very start holds no heading. */
function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---') return 0;
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  return end === -1 ? 0 : end + 1;
}
