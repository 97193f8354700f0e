/** One page of the documentation as it lies in the package. */
export interface DocFile {
  /** Below docs/, without `.md`: `how-to/set-a-budget`. */
  readonly name: string;
  readonly text: string;
}

/** What stands below one heading. */
export interface DocSection {
  readonly page: string;
  readonly title: string;
  /** Null = before the first heading below the title. */
  readonly heading: string | null;
  readonly lines: readonly string[];
}

const HEADING = /^(#{1,4}) (.{1,300})$/;

/** Code, links and marks of a heading as words. */
export const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]\n]{0,300})\]\([^)]{0,300}\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .trim();

/** A page cut at its headings; what looks like one inside a block of code is none. */
export function sectionsOf({ name, text }: DocFile): readonly DocSection[] {
  const sections: { heading: string | null; lines: string[] }[] = [{ heading: null, lines: [] }];
  let title = name;
  let isCode = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const found = isCode ? null : HEADING.exec(line);
    const [, marks = '', words = ''] = found ?? [];
    if (marks === '#') title = plain(words);
    else if (found !== null) sections.push({ heading: plain(words), lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ heading, lines }) => ({ page: name, title, heading, lines }));
}

/** The first sentence of a page. */
export function summaryOf({ text }: DocFile): string {
  const paragraph = text
    .split('\n')
    .slice(1)
    .join('\n')
    .trim()
    .split(/\n\s*\n/)[0];
  const words = plain((paragraph ?? '').replaceAll('\n', ' '));
  return /^(?:[^.]|\.(?=\S))*\.?/.exec(words.slice(0, 400))?.[0] ?? '';
}
