import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '../support/kit-process.js';

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

/** Keys without a value that read like the rest of a sentence: `{ description: One, and two. }`. */
function cutOff(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    member === null ? (/\s/.test(key) ? [key] : []) : cutOff(member),
  );
}

function documentOf(text: string): unknown {
  try {
    return parse(text);
  } catch {
    // A part of a file, or several: other tests read what is whole.
    return null;
  }
}

it('no sentence of a template or a page ends at a comma within braces', () => {
  const templates = globSync('templates/**/*.{yaml,yml}', { cwd: projectRoot }).map(
    (path) => [path, read(path)] as const,
  );
  const pages = globSync('docs/**/*.md', { cwd: projectRoot }).flatMap((path) =>
    [...read(path).matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, block = '']) => [path, block] as const),
  );

  expect(templates.length).toBeGreaterThan(50);
  expect(pages.length).toBeGreaterThan(100);
  const found = [...templates, ...pages].map(([path, text]) => [path, ...cutOff(documentOf(text))]);
  expect(found.filter((one) => one.length > 1)).toEqual([]);
});
