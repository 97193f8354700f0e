import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/kit-process.js';
import { tracked } from '../support/markdown.js';

/** What the clock of the machine showed, under the names that tests give it. */
const TIME = /\b(?:performance|Date)\.now\(\)|\b(?:took|started|elapsed|began|delays?)(?:Ms)?\b/;

/** An upper bound of it. */
const isJudgedByTime = (text: string): boolean =>
  text
    .split(/\bexpect(?=\()/)
    .slice(1)
    .some((one) => {
      const [claimed = '', ...bar] = (one.split(';')[0] ?? '').split('.toBeLess');
      return bar.length > 0 && TIME.test(claimed);
    });

const tests = tracked('test/*.ts', 'plugins/*/test/*.ts').filter((path) => path !== 'test/house/clock-free.test.ts');

describe('a bar of time', () => {
  it.each([
    ['expect(performance.now() - startedMs).toBeLessThan(5_000);'],
    ['expect(Date.now() - untilMs).toBeLessThanOrEqual(SLACK_MS);'],
    ['expect(Math.max(...tookMs)).toBeLessThan(300);'],
    ['expect(\n  tookMs,\n  what,\n).toBeLessThan(LIMIT_MS);'],
  ])('is seen: %s', (text) => {
    expect(isJudgedByTime(text)).toBe(true);
  });

  it.each([
    ['expect(performance.now() - abortedAt).toBeGreaterThanOrEqual(1_500);'],
    ['expect(rows).toHaveLength(3);\nconst startedMs = performance.now();\nexpect(open).toBeLessThan(7);'],
  ])('is not mixed up with what a slow machine cannot break: %s', (text) => {
    expect(isJudgedByTime(text)).toBe(false);
  });

  it('stands in no test: another order of events, a count or a paused clock shows the same on any machine', async () => {
    const texts = await Promise.all(
      tests.map(async (path) => ({ path, text: await readFile(join(projectRoot, path), 'utf8').catch(() => '') })),
    );

    expect(texts.filter(({ text }) => isJudgedByTime(text)).map(({ path }) => path)).toEqual([]);
  });
});
