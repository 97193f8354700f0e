import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const IMPORTED = /^(?:import|export) (?!type )(?:[^'";]*? from )?'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;

/** The folders of tests that `npm run quickstart` runs, in a worktree of what is committed. */
function folders(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, named = ''] = /vitest run ([\w/ ]+)'/.exec(scripts.quickstart) ?? [];
  return named.split(' ');
}

const sourceOf = (path: string): string =>
  [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')].find(existsSync) ?? path;

/** File -> the file that imports it, for everything that is loaded. */
function loadedBy(entries: readonly string[]): ReadonlyMap<string, string> {
  const by = new Map(entries.map((entry) => [entry, '']));
  for (const file of by.keys()) {
    if (!existsSync(file) || !/\.tsx?$/.test(file)) continue;
    for (const [, from, lazily] of readFileSync(file, 'utf8').matchAll(IMPORTED)) {
      const target = sourceOf(join(dirname(file), from ?? lazily ?? ''));
      if (!by.has(target)) by.set(target, file);
    }
  }
  return by;
}

it('the tests of the quickstart load nothing that only a build makes', () => {
  const entries = folders().flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => join(root, folder, path)),
  );
  const loaded = loadedBy(entries);
  const made = [...loaded].filter(([file]) => /\/(?:generated|dist)\//.test(relative(root, file)));

  expect(entries.length).toBeGreaterThan(30);
  expect(loaded.size).toBeGreaterThan(entries.length);
  expect(made.map(([file, by]) => `${relative(root, file)} for ${relative(root, by)}`)).toEqual([]);
});
