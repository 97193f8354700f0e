import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/kit-process.js';
import { tracked } from '../support/markdown.js';

/** The one place that says what an object of JSON is. */
const HOME = 'src/lib/json.ts';

const GUARDS = [
  /typeof ([\w.]+) === 'object' &&\s*\1 !== null &&\s*!Array\.isArray\(\1\)/,
  /([\w.]+) !== null &&\s*typeof \1 === 'object' &&\s*!Array\.isArray\(\1\)/,
  /!Array\.isArray\(([\w.]+)\) &&\s*(?:typeof \1 === 'object'|\1 !== null) &&/,
  / is [^=]+=>\s*typeof (\w+) === 'object' && \1 !== null;/,
  / is [^{]+\{\s*return typeof (\w+) === 'object' && \1 !== null;/,
];

const isGuardIn = (text: string): boolean => GUARDS.some((guard) => guard.test(text));

const sources = tracked('src/*.ts', 'src/*.tsx', 'plugins/*.ts', 'plugins/*.tsx').filter(
  (path) => path !== HOME && !path.includes('/generated/'),
);

describe('what an object of JSON is', () => {
  it.each([
    [
      "const isMap = (value: Json): value is JsonObject =>\n  typeof value === 'object' && value !== null && !Array.isArray(value);",
    ],
    ["if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value;"],
    ["if (!Array.isArray(one.details) && one.details !== null && typeof one.details === 'object') return;"],
    ["const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null;"],
    ["function isFields(a: unknown): a is Fields {\n  return typeof a === 'object' && a !== null;\n}"],
  ])('is seen where it is said again: %s', (text) => {
    expect(isGuardIn(text)).toBe(true);
  });

  it('is not mixed up with a question about one member', () => {
    expect(isGuardIn("typeof launch === 'object' && launch !== null && 'command' in launch")).toBe(false);
  });

  it(`is said in ${HOME} alone`, async () => {
    const texts = await Promise.all(
      sources.map(async (path) => ({ path, text: await readFile(join(projectRoot, path), 'utf8').catch(() => '') })),
    );

    expect(texts.filter(({ text }) => isGuardIn(text)).map(({ path }) => path)).toEqual([]);
    expect(texts.length).toBeGreaterThan(1000);
    expect(isGuardIn(await readFile(join(projectRoot, HOME), 'utf8'))).toBe(true);
  });
});
