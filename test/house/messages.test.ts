import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/kit-process.js';
import { tracked } from '../support/markdown.js';

/** The one place that says what the text of an error is. */
const HOME = 'src/domain/errors.ts';

/** Places that cannot import it: a room below the domain, and programs that stand alone. */
const APART = ['src/lib/', 'src/system/pdf-thread.ts', 'plugins/harness/src/rehearsal/', 'plugins/console/web/'];

const BY_HAND = /(\w+) instanceof Error\s*\?\s*\1\.message\s*:\s*String\(\1\)/;

const sources = tracked('src/*.ts', 'src/*.tsx', 'plugins/*.ts', 'plugins/*.tsx').filter(
  (path) => path !== HOME && !path.includes('/generated/') && !APART.some((place) => path.startsWith(place)),
);

describe('the text of what was thrown', () => {
  it.each([
    ['const why = error instanceof Error ? error.message : String(error);'],
    ['failed(\n  error instanceof Error\n    ? error.message\n    : String(error),\n)'],
  ])('is seen where it is made by hand: %s', (text) => {
    expect(BY_HAND.test(text)).toBe(true);
  });

  it(`is made in ${HOME} alone`, async () => {
    const texts = await Promise.all(
      sources.map(async (path) => ({ path, text: await readFile(join(projectRoot, path), 'utf8').catch(() => '') })),
    );

    expect(texts.filter(({ text }) => BY_HAND.test(text)).map(({ path }) => path)).toEqual([]);
    expect(texts.length).toBeGreaterThan(1000);
    expect(BY_HAND.test(await readFile(join(projectRoot, HOME), 'utf8'))).toBe(true);
  });
});
