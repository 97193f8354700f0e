import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../support/kit-process.js';
import { readLesson } from '../support/lesson.js';
import { SHOWN_BLOCKS, type ShownBlock } from '../support/shown-blocks.js';

const pages = ['README.md', ...globSync(['docs/tutorials/*.md', 'docs/how-to/*.md'], { cwd: projectRoot }).sort()];

/** First line of every block of a page of which nothing is typed and nothing is written. */
function shownIn(page: string): readonly string[] {
  const text = readFileSync(join(projectRoot, page), 'utf8');
  const blocks = text.match(/^```\w*\n[\s\S]*?^```$/gm) ?? [];
  return blocks
    .filter((block) => page === 'README.md' || readLesson(block).length === 0)
    .map((block) => block.split('\n')[1] ?? '');
}

const shown = pages.flatMap((page) => shownIn(page).map((line) => ({ page, line })));
const isOf = ({ page, begins }: ShownBlock, block: (typeof shown)[number]): boolean =>
  block.page === page && block.line.startsWith(begins);

it('every block that no test types has a reason, or the test that runs it in another way', () => {
  expect(shown.length).toBeGreaterThan(15);
  expect(shown.filter((block) => SHOWN_BLOCKS.filter((row) => isOf(row, block)).length !== 1)).toEqual([]);
});

it('every reason has its block', () => {
  expect(SHOWN_BLOCKS.filter((row) => shown.filter((block) => isOf(row, block)).length !== 1)).toEqual([]);
  for (const row of SHOWN_BLOCKS) {
    if ('reason' in row) expect(row.reason).toMatch(/^[A-Z].*\.$/);
    else expect(existsSync(join(projectRoot, row.runBy)), row.runBy).toBe(true);
  }
});
