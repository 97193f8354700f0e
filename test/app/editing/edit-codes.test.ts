import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const page = readFileSync(`${root}docs/authoring-api.md`, 'utf8');
const text = globSync('src/app/editing/**/*.ts', { cwd: root })
  .map((path) => readFileSync(`${root}${path}`, 'utf8'))
  .join('\n');
const used = [...new Set([...text.matchAll(/'((?:edit\.[a-z0-9-]+)|missing\.name)'/g)].map((found) => found[1] ?? ''))];
const documented = [
  ...new Set([...page.matchAll(/`((?:edit\.[a-z0-9-]+)|missing\.name)`/g)].map((found) => found[1] ?? '')),
];

test('what is wrong with a change has a code that the page about changing explains, and the page names no other', () => {
  expect(used.length).toBeGreaterThan(5);
  expect(documented.sort()).toEqual(used.sort());
});
