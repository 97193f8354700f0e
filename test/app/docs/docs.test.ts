import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDocsApp } from '../../../src/app/docs/create-docs-app.js';
import { GROUP_WEIGHTS, mapOf } from '../../../src/app/docs/map.js';
import { indexDocs, searchDocs } from '../../../src/app/docs/search-docs.js';
import { sectionsOf, summaryOf } from '../../../src/app/docs/sections.js';
import { stem, wordsOf } from '../../../src/app/docs/words.js';
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
  const pagesFor = (query: string, map: string, ...texts: readonly string[]) =>
    searchDocs(indexDocs(of(...texts), mapOf({ text: map })), query).map(({ section }) => section.page);

  it('puts what holds all words before what holds one often', () => {
    const texts = ['# A\ngate gate gate', '# B\na gate and a quorum', '# C\nnothing'];
    expect(pagesFor('gate quorum', '', ...texts)).toEqual(['p1', 'p0']);
  });

  it('finds words where they begin, in one and in several', () => {
    expect(pagesFor('sign', '', '# A\ndesigned', '# B\nsigned')).toEqual(['p1']);
    expect(pagesFor('budgets', '', '# A\na budget')).toHaveLength(1);
    expect(pagesFor('postgres', '', '# A\nPostgreSQL')).toHaveLength(1);
  });

  it.each([
    ['approve approves approved approving approver approvers approval approvals', 'approv'],
    ['retry retries retried retrying', 'retry'],
    ['stop stops stopped stopping', 'stop'],
    ['delete deleted deletion', 'delet'],
    ['process', 'process'],
    ['status', 'status'],
    ['bus', 'bus'],
    ['key keys', 'key'],
  ])('takes %j for one word', (words, one) => {
    expect([...new Set(words.split(' ').map(stem))]).toEqual([one]);
  });

  it('puts a page that is about a word before one that names it in a heading, and that before one that uses it', () => {
    const about = '# Budgets\nWhat runs may cost.\n## More\nA budget ends a run.';
    const named = '# Keys\n## `budget: 3` of a workspace yaml file\nA number.';
    const used = '# Other\nThere is a budget.';
    expect(pagesFor('budget', '', used, named, about)).toEqual(['p2', 'p2', 'p1', 'p0']);
  });

  it('goes by what the map says of a page: what it is for, and whether one does or looks it up', () => {
    const map = '## Do\n| To | Read |\n|---|---|\n| spend less | [p1.md](p1.md) |\n## Look up\n| [p0](p0.md) | all |';
    expect(mapOf({ text: map })).toEqual(
      new Map([
        ['p1', { about: expect.stringContaining('spend less'), weight: GROUP_WEIGHTS.Do }],
        ['p0', { about: expect.stringContaining('all'), weight: GROUP_WEIGHTS['Look up'] }],
      ]),
    );
    expect(pagesFor('spend', map, '# A\nx', '# B\ny')).toEqual(['p1']);
    expect(pagesFor('quorum', map, '# A\na quorum', '# B\na quorum')).toEqual(['p1', 'p0']);
  });

  it('shows two sections of a page at most', () => {
    expect(pagesFor('gate', '', '# A\ngate\n## B\ngate\n## C\ngate')).toEqual(['p0', 'p0']);
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
    const summaries = (await docs.list()).map(({ summary }) => summary);
    expect(summaries.filter((one, at) => summaries.indexOf(one) !== at)).toEqual([]);
  });

  it.each([
    ['budget', 'how-to/set-a-budget'],
    ['back up', 'how-to/back-up-and-restore'],
    ['restore a backup', 'how-to/back-up-and-restore'],
    ['two people sign', 'how-to/two-people-sign'],
    ['how can two people of the same team both sign', 'how-to/two-people-sign'],
    ['postgresql', 'how-to/move-to-postgresql'],
    ['schema.unknown-field', 'diagnostics/schema.unknown-field'],
    ['cron timezone', 'triggers'],
    ['how do I stop a run', 'how-to/stop-resume-retry'],
    ['how to approve a run', 'how-to/approve-a-run'],
    ['approve', 'how-to/approve-a-run'],
    ['approvals', 'how-to/approve-a-run'],
    ['who approved', 'how-to/approve-a-run'],
    ['reject a run', 'how-to/approve-a-run'],
    ['cost limit', 'governance'],
    ['resume after crash', 'how-to/stop-resume-retry'],
    ['retry failed', 'how-to/stop-resume-retry'],
    ['plugin install', 'plugins/README'],
    ['secrets', 'how-to/keep-secrets-out'],
    ['run Claude Code', 'harnesses'],
    ['schedule', 'how-to/run-every-night'],
    ['webhook', 'triggers'],
    ['postgres', 'how-to/move-to-postgresql'],
    ['quorum', 'gates'],
    ['use kit from Claude Code over MCP', 'mcp-server'],
    ['MCP tools for an agent', 'how-to/give-an-agent-a-tool-server'],
    ['tests for my topology', 'how-to/test-answers'],
    ['export audit', 'how-to/prove-a-decision'],
    ['delete old runs', 'how-to/keep-and-prune'],
    ['model key', 'models'],
    ['where do I put my API key', 'models'],
    ['offline', 'mock'],
    ['see prompts', 'debug'],
    ['local model', 'how-to/use-a-local-model'],
    ['cost of a run', 'models'],
    ['slack', 'how-to/post-gates-to-a-chat'],
    ['send a slack message when somebody must approve', 'how-to/post-gates-to-a-chat'],
    ['approve from another machine', 'remote'],
    ['how do I use openai', 'models'],
    ['what does exit code 3 mean', 'errors'],
    ['who changed the answer after approval', 'proofs'],
  ])('answers "%s" with %s', async (query, page) => {
    const [first] = await docs.search({ query, limit: 3 });
    expect(first?.page).toBe(page);
  });

  it('has a map whose groups are known, so that each weighs what it should', () => {
    const headings = readFileSync(join(projectRoot, 'docs/README.md'), 'utf8').matchAll(/^## (.+)$/gm);
    expect([...headings].map(([, name]) => name)).toEqual(Object.keys(GROUP_WEIGHTS));
  });

  it('is read by the name of a page, by its end, by a code and by a command', async () => {
    expect((await docs.read('gates'))?.page).toBe('gates');
    expect((await docs.read('set-a-budget'))?.page).toBe('how-to/set-a-budget');
    expect((await docs.read('docs/gates.md'))?.page).toBe('gates');
    expect((await docs.read('gate'))?.page).toBe('gates');
    for (const word of ['approve', 'webhook', 'plugin']) expect(await docs.read(word), word).toBeNull();
    expect((await docs.read('KIT_STORE_BUSY'))?.text).toMatch(/^## KIT_STORE_BUSY\n/);
    expect((await docs.read('README.md'))?.page).toBe('README');
    expect(await docs.read('no such page')).toBeNull();
    expect(await docs.read(join('..', 'package.json'))).toBeNull();
  });
});
