/**
 * The figures of docs/performance.md, between two marks: a section a bench, with what it says of
 * itself and a row a figure. The page is the only place where figures are kept: what is not taken
 * anew stays as it is, with the commit, the load and the day that it was taken at.
 */
const BEGIN = '<!-- figures: written by `npm run bench -- all` -->';
const END = '<!-- end of the figures -->';
const HEAD = '| figure | | bar | commit | load | day |\n|---|---|---|---|---|---|';
const NEVER = '| not taken at this commit | | | | | |';

export interface Bench {
  readonly name: string;
  /** What it says of itself. */
  readonly text: string;
}

export interface Figure {
  readonly name: string;
  readonly value: string;
  /** Whether the bar is met stands behind it; null: there is none. */
  readonly bar: { readonly text: string; readonly holds: boolean } | null;
  readonly commit: string;
  readonly load: string;
  /** `2026-01-02`. */
  readonly day: string;
}

/** What a bench says of itself: the comment that its file begins with. */
export function textOf(source: string): string {
  const lines = source.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return lines
    .slice(0, Math.max(0, end))
    .map((line) => line.slice(3))
    .join('\n')
    .trim();
}

/** The figures that stand in a page, by the names of their benches. */
export function figuresOf(page: string): ReadonlyMap<string, readonly Figure[]> {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error('the page has no marks between which figures stand');
  const sections = page
    .slice(from + BEGIN.length, to)
    .split(/^### /m)
    .slice(1);
  return new Map(
    sections.map((section) => {
      const [name = '', ...lines] = section.split('\n');
      const rows = lines.filter((line) => line.startsWith('| ') && line !== NEVER).slice(1);
      return [name.trim(), rows.map(figureOf)];
    }),
  );
}

/**
 * The page with these benches, in their order, and what is known of them: `taken` stands in place
 * of what stood there. A bench that is not in it keeps its figures; one that is gone loses them.
 */
export function withFigures(
  page: string,
  of: { readonly benches: readonly Bench[]; readonly taken: ReadonlyMap<string, readonly Figure[]> },
): string {
  const before = figuresOf(page);
  const sections = of.benches.map((bench) =>
    sectionOf(bench, of.taken.get(bench.name) ?? before.get(bench.name) ?? []),
  );
  const [head, tail] = [page.slice(0, page.indexOf(BEGIN)), page.slice(page.indexOf(END))];
  return `${head}${BEGIN}\n\n${sections.join('\n')}\n${tail}`;
}

function sectionOf({ name, text }: Bench, figures: readonly Figure[]): string {
  const rows = figures.length === 0 ? [NEVER] : figures.map(rowOf);
  return `### ${name}\n\n${text}\n\n${[HEAD, ...rows].join('\n')}\n`;
}

function rowOf({ name, value, bar, commit, load, day }: Figure): string {
  const verdict = bar === null ? '' : `${bar.text}: ${bar.holds ? 'holds' : '**missed**'}`;
  const cells = [name, value, verdict, commit, load, day].map((cell) => cell.replaceAll('|', '\\|'));
  return `| ${cells.join(' | ')} |`;
}

function figureOf(row: string): Figure {
  const cells = row
    .slice(2, -2)
    .split(/ \| /)
    .map((cell) => cell.replaceAll('\\|', '|'));
  const [name = '', value = '', verdict = '', commit = '', load = '', day = ''] = cells;
  const [, text, word] = /^(.*): (holds|\*\*missed\*\*)$/.exec(verdict) ?? [];
  return { name, value, bar: text === undefined ? null : { text, holds: word === 'holds' }, commit, load, day };
}
