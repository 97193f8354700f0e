import { type DocFile, plain } from './sections.js';

/** What the map of the documentation says of a page. */
export interface MapEntry {
  /** What it is for, in words that its title need not have. */
  readonly about: string;
  /** What it is worth beside pages that hold the same words, above 0. */
  readonly weight: number;
}

/**
 * By the headings of docs/README.md. What one wants to do stands before what one looks up, and that
 * before notes for those who change kit.
 */
export const GROUP_WEIGHTS: Readonly<Record<string, number>> = {
  Learn: 0.9,
  'One task at a time': 1.1,
  Do: 1,
  'Look up': 0.7,
  Understand: 0.5,
};

/** A page that the map does not name: of one mistake, of one kind, of one extension point. */
export const UNMAPPED: MapEntry = { about: '', weight: 0.4 };

const LINK = /\[([^\]\n]{1,200})\]\(([\w./-]{1,200})\.md[^)\n]{0,100}\)/g;

/** What stands in docs/README.md, by page. A page that is named twice has the words of both. */
export function mapOf({ text }: Pick<DocFile, 'text'>): ReadonlyMap<string, MapEntry> {
  const entries = new Map<string, MapEntry>();
  let weight = UNMAPPED.weight;
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) weight = GROUP_WEIGHTS[line.slice(3).trim()] ?? UNMAPPED.weight;
    if (!line.startsWith('|')) continue;
    const others = plain(line.replaceAll(LINK, ' '));
    for (const [, name = '', page = ''] of line.matchAll(LINK)) {
      const before = entries.get(page);
      entries.set(page, {
        about: `${before?.about ?? ''} ${name.endsWith('.md') ? '' : name} ${others}`.trim(),
        weight: Math.max(before?.weight ?? 0, weight),
      });
    }
  }
  return entries;
}
