import { describe, expect, it } from 'vitest';
import { anchorsOf, readText, tracked } from '../support/markdown.js';

/** Where comments cite documents; fixtures are written by others. */
const CITING = ['src', 'plugins', 'test', 'scripts', 'bin'];
const SOURCE = /\.(?:ts|tsx|mjs|js|sh)$/;

/** `docs/design/journal.md#fence`: a path from the root of the repository, and an anchor. */
const CITATION = /\bdocs\/[\w./-]+\.md(?:#[\w-]+)?/g;
/** Pages whose rules have anchors of their own: the page alone says too little. */
const RULES = /^docs\/design\//;

/** Documents that the repository does not hold, in the ways in which they were once cited. */
const ELSEWHERE: readonly RegExp[] = [
  /\bDESIGN\b/,
  /\bgaps [A-Z]\d/,
  /\bplugin-contract\b/,
  /\bspec\/[a-z-]+\.md\b/,
  /\(the issue\b|\bthe issue (?:says|asks)\b/,
  /\b(?:journal|execution|artifacts|http-and-cli|interface|decisions)(?:\.md)?,? (?:section )?\d+\.\d+/,
];
/** Any page that is named without its path. */
const BARE_PAGE = /(?<![\w./-])[a-z][\w-]*\.md\b/;

interface Comment {
  readonly line: number;
  readonly text: string;
}

function commentsOf(source: string): readonly Comment[] {
  return source.split('\n').flatMap((text, index): readonly Comment[] => {
    const own = /^\s*(?:\/\*|\*|\/\/|#)(.*)$/.exec(text)?.[1] ?? / \/\/ (.*)$/.exec(text)?.[1];
    return own === undefined ? [] : [{ line: index + 1, text: own }];
  });
}

function problemIn(comment: string, pageOf: (path: string) => string | null): string | null {
  for (const [cited] of comment.matchAll(CITATION)) {
    const [path = '', anchor] = cited.split('#');
    const page = pageOf(path);
    if (page === null) return `${path} does not exist`;
    if (anchor === undefined && RULES.test(path)) return `${path} is cited without an anchor`;
    if (anchor !== undefined && !anchorsOf(page).has(anchor)) return `${path} has no anchor ${anchor}`;
  }
  const rest = comment.replaceAll(CITATION, '');
  const foreign = [...ELSEWHERE, BARE_PAGE].map((pattern) => pattern.exec(rest)?.[0]).find((found) => found);
  return foreign === undefined ? null : `"${foreign}" is not a document of this repository`;
}

const pages = new Map(tracked('docs/*.md').map((path) => [path, readText(path)]));
const pageOf = (path: string): string | null => pages.get(path) ?? null;

describe('a comment that cites a document', () => {
  const sources = tracked(...CITING).filter((path) => SOURCE.test(path) && !path.startsWith('test/fixtures/'));
  const comments = sources.flatMap((path) => commentsOf(readText(path)).map((comment) => ({ path, ...comment })));

  it('names a page and an anchor that are there', () => {
    const problems = comments.flatMap(({ path, line, text }) => {
      const problem = problemIn(text, pageOf);
      return problem === null ? [] : [`${path}:${line}: ${problem}`];
    });

    expect(problems).toEqual([]);
    expect(comments.filter(({ text }) => text.match(CITATION) !== null).length).toBeGreaterThan(300);
  });

  it.each([
    ['* The fence (docs/design/journal.md#fences).', 'docs/design/journal.md has no anchor fences'],
    ['* The fence (docs/design/journal.md).', 'docs/design/journal.md is cited without an anchor'],
    ['* Limits (docs/gone.md#limits).', 'docs/gone.md does not exist'],
    ['* The fence (journal.md 5.1).', '"journal.md 5.1" is not a document of this repository'],
    ['* Fields of http-and-cli.md, JobRecord.', '"http-and-cli.md" is not a document of this repository'],
    ['// As the design says (DESIGN section 11).', '"DESIGN" is not a document of this repository'],
    ['/** At most three (gaps D6). */', '"gaps D6" is not a document of this repository'],
  ])('is found when it is wrong: %s', (line, problem) => {
    expect(commentsOf(line).map(({ text }) => problemIn(text, pageOf))).toEqual([problem]);
  });

  it.each([
    '* The fence (docs/design/journal.md#fence).',
    '* Who may call (docs/auth.md#tiers); the figures are in docs/performance.md.',
    "'docs/nowhere.md': 'a text of a test',",
  ])('is left alone when it is right: %s', (line) => {
    expect(commentsOf(line).flatMap(({ text }) => problemIn(text, pageOf) ?? [])).toEqual([]);
  });
});

describe('the pages of docs/design', () => {
  it.each(tracked('docs/design/*.md'))('have anchors that differ within %s', (path) => {
    const ids = [...readText(path).matchAll(/<a id="([^"]+)">/g)].map((match) => match[1]);

    expect(ids).toEqual([...new Set(ids)]);
    expect(ids.length).toBeGreaterThan(10);
  });
});
