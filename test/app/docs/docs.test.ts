import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDocsApp } from '../../../src/app/docs/create-docs-app.js';
import { searchDocs, wordsOf } from '../../../src/app/docs/search-docs.js';
import { sectionsOf, summaryOf } from '../../../src/app/docs/sections.js';
import { nodeFiles } from '../../../src/system/files.js';
import { projectRoot } from '../../support/kit-process.js';
import { tracked } from '../../support/markdown.js';

const docs = createDocsApp({ files: nodeFiles, packageRoot: projectRoot });

describe('a page', () => {
  const page = {
    name: 'a/b',
    text: '# `A` of [it](x.md)\n\nSays v1.2 first. Then more.\n\n## One\nx\n```\n# no heading\n```\n### Two `kit run [workspace]`\ny\n',
  };

  it('is cut at its headings, not at lines of code', () => {
    expect(sectionsOf(page).map(({ title, heading }) => [title, heading])).toEqual([
      ['A of it', null],
      ['A of it', 'One'],
      ['A of it', 'Two kit run [workspace]'],
    ]);
  });

  it('is told by its first sentence', () => {
    expect(summaryOf(page)).toBe('Says v1.2 first.');
  });
});

describe('a search', () => {
  const of = (...texts: readonly string[]) => texts.flatMap((text, at) => sectionsOf({ name: `p${at}`, text }));

  it('puts what holds all words before what holds one often', () => {
    const hits = searchDocs(of('# A\ngate gate gate', '# B\na gate and a quorum', '# C\nnothing'), 'gate quorum');
    expect(hits.map(({ section }) => section.page)).toEqual(['p1', 'p0']);
  });

  it('finds words where they begin, in one and in several', () => {
    expect(searchDocs(of('# A\ndesigned', '# B\nsigned'), 'sign').map(({ section }) => section.page)).toEqual(['p1']);
    expect(searchDocs(of('# A\na budget'), 'budgets')).toHaveLength(1);
  });

  it('leaves out common words, unless nothing else is asked for', () => {
    expect(wordsOf('how to approve a run')).toEqual(['approve', 'run']);
    expect(wordsOf('how to')).toEqual(['how', 'to']);
  });

  it('takes at most twelve words of at most sixty characters', () => {
    expect(wordsOf('ab '.repeat(3))).toEqual(['ab']);
    expect(wordsOf(Array.from({ length: 40 }, (_, at) => `word${at}`).join(' '))).toHaveLength(12);
    expect(wordsOf('x'.repeat(1000))[0]).toHaveLength(60);
  });
});

describe('the documentation of kit', () => {
  it('is listed whole but for the pages of single diagnostics', async () => {
    const names = (await docs.list()).map(({ name }) => `docs/${name}.md`);
    expect(names.toSorted()).toEqual(
      tracked('docs/*.md')
        .filter((path) => !path.startsWith('docs/diagnostics/') && path !== 'docs/README.md')
        .toSorted(),
    );
    expect((await docs.list()).filter(({ title, summary }) => title === '' || summary === '')).toEqual([]);
  });

  it.each([
    ['budget', 'how-to/set-a-budget'],
    ['back up', 'how-to/back-up-and-restore'],
    ['restore a backup', 'how-to/back-up-and-restore'],
    ['two people sign', 'how-to/two-people-sign'],
    ['postgresql', 'how-to/move-to-postgresql'],
    ['schema.unknown-field', 'diagnostics/schema.unknown-field'],
    ['cron timezone', 'triggers'],
    ['how do I stop a run', 'how-to/stop-resume-retry'],
  ])('answers "%s" with %s', async (query, page) => {
    const [first] = await docs.search({ query, limit: 3 });
    expect(first?.page).toBe(page);
  });

  it('is read by the name of a page, by its end, by a code and by a command', async () => {
    expect((await docs.read('gates'))?.page).toBe('gates');
    expect((await docs.read('set-a-budget'))?.page).toBe('how-to/set-a-budget');
    expect((await docs.read('docs/gates.md'))?.page).toBe('gates');
    expect((await docs.read('KIT_STORE_BUSY'))?.text).toMatch(/^## KIT_STORE_BUSY\n/);
    expect((await docs.read('README.md'))?.page).toBe('README');
    expect(await docs.read('no such page')).toBeNull();
    expect(await docs.read(join('..', 'package.json'))).toBeNull();
  });
});
