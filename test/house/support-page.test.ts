import { expect, it } from 'vitest';
import { supportPage } from '../../scripts/lib/support-page.mjs';
import { projectRoot } from '../support/kit-process.js';
import { readText } from '../support/markdown.js';

it('test/support/README.md names every helper (node scripts/support-page.mjs writes it)', () => {
  const page = supportPage(`${projectRoot}/`);
  expect(readText('test/support/README.md'), 'node scripts/support-page.mjs').toBe(page);
  const silent = page.split('\n').filter((line) => line.endsWith('|  |') && line.includes(']('));
  expect(silent, 'a helper whose first export says nothing of what it is for').toEqual([]);
});
