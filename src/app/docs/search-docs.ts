import { type MapEntry, UNMAPPED } from './map.js';
import type { DocSection } from './sections.js';
import { stem, stemsOf, tellingOf, wordsOf } from './words.js';

/** A section that holds the words, with the line that shows it best. */
export interface DocHit {
  readonly section: DocSection;
  readonly score: number;
  readonly line: string;
}

/**
 * What a word is worth where it stands. A title says what all of a page is about, and a word that
 * stands all over a page does too, wherever else it is named in passing.
 */
const WEIGHTS = { title: 5, about: 3, heading: 4, page: 4, text: 1 } as const;

/** Whoever opens a page sees its other sections; the list is for other pages. */
const MAX_OF_A_PAGE = 2;

/** A word of so many letters also finds what begins with it, for less: PostgreSQL by `postgres`. */
const MIN_BEGINNING = 4;
const BEGINNING = 0.6;

/** How often each word stands somewhere, and how many there are. */
interface Counted {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

function counted(stems: readonly string[]): Counted {
  const counts = new Map<string, number>();
  for (const one of stems) counts.set(one, (counts.get(one) ?? 0) + 1);
  return { counts, total: stems.length };
}

function countOf({ counts }: Counted, word: string): number {
  const exact = counts.get(word) ?? 0;
  if (exact > 0 || word.length < MIN_BEGINNING) return exact;
  let begun = 0;
  for (const [one, count] of counts) if (one.startsWith(word)) begun += count;
  return begun * BEGINNING;
}

/** 0 to 1: the tenth time says little more than the third, and one time more of a short text. */
function density(text: Counted, word: string, usual: number): number {
  const count = countOf(text, word);
  return count / (count + 0.5 + text.total / usual);
}

/** 0 to 1: a name of two words says more about each than one of six. */
const shareOf = (name: Counted, word: string): number => Math.min(1, countOf(name, word)) / Math.sqrt(name.total || 1);

/** What docs/README.md says of each page. */
export type DocMap = ReadonlyMap<string, MapEntry>;

/** One section as it is searched. */
export interface Indexed {
  readonly section: DocSection;
  readonly title: Counted;
  /** What the map says of the page. */
  readonly about: Counted;
  readonly heading: Counted;
  readonly text: Counted;
  /** All of the page. */
  readonly page: Counted;
  /** The last part of the name of its page: who types it wants that page, whatever it is worth. */
  readonly name: readonly string[];
  /** What the page is worth beside others. */
  readonly weight: number;
}

function indexed(sections: readonly DocSection[], map: DocMap): readonly Indexed[] {
  const pages = new Map<string, string[]>();
  const texts = sections.map((section) => {
    const stems = stemsOf(`${section.heading ?? ''} ${section.lines.join(' ')}`);
    const page = pages.get(section.page) ?? [];
    pages.set(section.page, page);
    for (const one of stems) page.push(one);
    return stems;
  });
  const ofPage = new Map([...pages].map(([name, stems]) => [name, counted(stems)]));
  return sections.map((section, at) => {
    const { about, weight } = map.get(section.page) ?? UNMAPPED;
    return {
      section,
      weight,
      name: stemsOf(section.page.split('/').at(-1) ?? ''),
      about: counted(tellingOf(about)),
      title: counted(tellingOf(`${section.title} ${section.page.split('/').at(-1) ?? ''}`)),
      heading: counted(tellingOf(section.heading ?? section.title)),
      text: counted(texts[at] ?? []),
      page: ofPage.get(section.page) ?? counted([]),
    };
  });
}

const holds = ({ title, about, heading, text }: Indexed, word: string): boolean =>
  [title, about, heading, text].some((place) => countOf(place, word) > 0);

/** Pages made ready for any number of searches. */
export interface DocIndex {
  readonly all: readonly Indexed[];
  /** How many words a section and a page have on average. */
  readonly usual: { readonly text: number; readonly page: number };
}

export function indexDocs(sections: readonly DocSection[], map: DocMap): DocIndex {
  const all = indexed(sections, map);
  const usual = {
    text: all.reduce((sum, { text }) => sum + text.total, 0) / (all.length || 1),
    page: all.reduce((sum, { page }) => sum + page.total, 0) / (all.length || 1),
  };
  return { all, usual };
}

/**
 * Sections by how well they fit a query, best first: rare words weigh more than frequent ones, and
 * what holds all of the words stands before what holds some. [] = nothing holds any.
 */
export function searchDocs({ all, usual }: DocIndex, query: string): readonly DocHit[] {
  const words = [...new Set(wordsOf(query).map(stem))];
  const rarity = new Map(
    words.map((word) => [word, Math.log(1 + all.length / (1 + all.filter((one) => holds(one, word)).length))]),
  );
  const scoreOf = (one: Indexed): number => {
    const found = words.filter((word) => holds(one, word));
    const sum = found.reduce((total, word) => {
      const places =
        WEIGHTS.title * shareOf(one.title, word) +
        WEIGHTS.about * shareOf(one.about, word) +
        WEIGHTS.heading * shareOf(one.heading, word) +
        WEIGHTS.page * density(one.page, word, usual.page) +
        WEIGHTS.text * density(one.text, word, usual.text);
      return total + places * (rarity.get(word) ?? 0);
    }, 0);
    const share = words.length === 0 ? 0 : found.length / words.length;
    return sum * share * share * (one.name.every((word) => words.includes(word)) ? 1 : one.weight);
  };
  const hits = all
    .map((one) => ({ section: one.section, score: scoreOf(one) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.section.page.localeCompare(b.section.page));
  const shown = new Map<string, number>();
  return hits
    .filter(({ section: { page } }) => {
      const before = shown.get(page) ?? 0;
      shown.set(page, before + 1);
      return before < MAX_OF_A_PAGE;
    })
    .map((hit) => ({ ...hit, line: bestLine(hit.section, words) }));
}

function bestLine({ lines }: DocSection, words: readonly string[]): string {
  const text = lines.filter((line) => line.trim() !== '' && !line.startsWith('```') && !/^\|[-| ]*\|$/.test(line));
  const held = (line: string): number => {
    const stems = counted(stemsOf(line));
    return words.filter((word) => countOf(stems, word) > 0).length;
  };
  return text.toSorted((a, b) => held(b) - held(a))[0]?.trim() ?? '';
}
