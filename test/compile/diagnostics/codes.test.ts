import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { DIAGNOSTIC_CODES } from '../../../src/compile/diagnostics/codes.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const codes = Object.keys(DIAGNOSTIC_CODES).sort();
const pages = globSync('*.md', { cwd: `${root}docs/diagnostics` }).map((name) => name.replace(/\.md$/, ''));
const sources = globSync(['src/compile/**/*.ts', 'src/app/**/*.ts'], { cwd: root }).filter(
  // What is wrong with a request to change a file is not a diagnostic of a file; those codes stand
  // in docs/authoring-api.md.
  (path) =>
    !path.includes('generated') && !path.endsWith('diagnostics/codes.ts') && !path.startsWith('src/app/editing/'),
);
const text = sources.map((path) => readFileSync(`${root}${path}`, 'utf8')).join('\n');

describe('diagnostic codes', () => {
  test('each has a page, and each page a code', () => {
    expect(pages.sort()).toEqual(codes);
  });

  test.each(codes)('the page of %s says what it is, shows an example and how to fix it', (code) => {
    const page = readFileSync(`${root}docs/diagnostics/${code}.md`, 'utf8');
    const lines = page.trimEnd().split('\n');

    expect(lines[0]).toBe(`# ${code}`);
    expect(page).toMatch(/^```/m);
    expect(page).toMatch(/\*\*Fix\.?\*\*/);
    expect(lines.length).toBeLessThanOrEqual(30);
  });

  test('the source reports no code that is not registered', () => {
    const used = [...text.matchAll(/\bcode: '([a-z-]+\.[a-z-]+)'/g)].map((found) => found[1] ?? '');

    expect(used.length).toBeGreaterThan(50);
    expect([...new Set(used)].filter((code) => !codes.includes(code))).toEqual([]);
  });

  test('no code is registered that nothing reports', () => {
    const isReported = (code: string): boolean =>
      text.includes(`'${code}'`) || text.includes(`.${code.split('.')[1]}\``);

    expect(codes.filter((code) => !isReported(code))).toEqual([]);
  });

  test('every line of the registry is a clause without capital and full stop', () => {
    expect(Object.values(DIAGNOSTIC_CODES).filter((line) => !/^[^A-Z].*[^.]$/.test(line))).toEqual([]);
  });
});
