import type { DocSection } from './sections.js';

/** A section that holds the words, with the line that shows it best. */
export interface DocHit {
  readonly section: DocSection;
  readonly score: number;
  readonly line: string;
}

/** What a word is worth where it stands; a title says what all of a page is about. */
const WEIGHTS = { heading: 6, title: 4, text: 1 } as const;
/** A word counts so often in the text of a section: long ones are not better for being long. */
const MAX_COUNTED = 3;
/**
 * What a page is worth beside others that hold the same words. A table of keys comes behind the
 * page that explains them, and notes for those who change kit behind what its users read.
 */
function weightOf(page: string): number {
  if (page.startsWith('design/') || page === 'deviations') return 0.5;
  return page.startsWith('kinds/') ? 0.8 : 1;
}

const MAX_WORDS = 12;
const MAX_WORD_CHARS = 60;

const NO_WORD = /[^\p{L}\p{N}_]+/u;
/** Words with a blank before each: one is found where it begins, so `sign` is not in `design`. */
const spaced = (text: string): string => ` ${text.toLowerCase().split(NO_WORD).join(' ')}`;

/** Words of any question, which say nothing about what is asked for. */
const COMMON = new Set(
  `an and any are as at be by can could did do does for from has have how if in into is it its me my of on or our
  should so that the their them there these they this to was we what when where which who why will with would you
  your`.split(/\s+/),
);

/**
 * The words of a query, in lower case, each once. Common words are left out, except where nothing
 * else is asked for.
 */
export function wordsOf(query: string): readonly string[] {
  const typed = query
    .toLowerCase()
    .split(NO_WORD)
    .map((word) => word.slice(0, MAX_WORD_CHARS))
    .filter((word) => word.length > 1);
  const telling = typed.filter((word) => !COMMON.has(word));
  return [...new Set(telling.length === 0 ? typed : telling)].slice(0, MAX_WORDS);
}

/** `budgets` finds `budget`, and the other way round. */
const stem = (word: string): string => ` ${word.length > 4 && word.endsWith('s') ? word.slice(0, -1) : word}`;

const countIn = (text: string, word: string): number => text.split(word).length - 1;

interface Indexed {
  readonly section: DocSection;
  readonly heading: string;
  readonly title: string;
  readonly text: string;
}

const indexed = (section: DocSection): Indexed => ({
  section,
  heading: spaced(section.heading ?? section.title),
  title: spaced(`${section.title} ${section.page}`),
  text: spaced(section.lines.join(' ')),
});

const holds = ({ heading, title, text }: Indexed, word: string): boolean =>
  heading.includes(word) || title.includes(word) || text.includes(word);

/**
 * Sections by how well they fit a query, best first: rare words weigh more than frequent ones, and
 * what holds all of the words stands before what holds some. [] = nothing holds any.
 */
export function searchDocs(sections: readonly DocSection[], query: string): readonly DocHit[] {
  const all = sections.map(indexed);
  const words = wordsOf(query).map(stem);
  const rarity = new Map(
    words.map((word) => [word, Math.log(1 + all.length / (1 + all.filter((one) => holds(one, word)).length))]),
  );
  const scoreOf = (one: Indexed): number => {
    const found = words.filter((word) => holds(one, word));
    const sum = found.reduce((total, word) => {
      const places =
        (one.heading.includes(word) ? WEIGHTS.heading : 0) +
        (one.title.includes(word) ? WEIGHTS.title : 0) +
        Math.min(MAX_COUNTED, countIn(one.text, word)) * WEIGHTS.text;
      return total + places * (rarity.get(word) ?? 0);
    }, 0);
    const share = words.length === 0 ? 0 : found.length / words.length;
    return sum * share * share * weightOf(one.section.page);
  };
  return all
    .map((one) => ({ section: one.section, score: scoreOf(one), line: bestLine(one.section, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.section.page.localeCompare(b.section.page));
}

function bestLine({ lines }: DocSection, words: readonly string[]): string {
  const text = lines.filter((line) => line.trim() !== '' && !line.startsWith('```') && !/^\|[-| ]*\|$/.test(line));
  const held = (line: string): number => words.filter((word) => spaced(line).includes(word)).length;
  return text.toSorted((a, b) => held(b) - held(a))[0]?.trim() ?? '';
}
