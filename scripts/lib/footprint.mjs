// What a sample change touches: scripts/footprint/*.patch, each a real change with its test.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What a change of each kind may touch (docs/design/decisions.md#footprint). `besides`: what names
 * the thing for its users, which no shape of the code can save.
 */
export const SAMPLES = [
  { name: 'read-command', says: 'a read command with its route', atMost: 7, besides: 0 },
  { name: 'yaml-key', says: 'a YAML key', atMost: 3, besides: 0 },
  { name: 'request-field', says: 'a field of a run request, beside its flag and its schema', atMost: 1, besides: 2 },
];

export const patchPath = (root, name) => join(root, 'scripts', 'footprint', `${name}.patch`);

/** Paths that a patch writes. */
export const filesOf = async (root, name) =>
  [...(await readFile(patchPath(root, name), 'utf8')).matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, path]) => path);

/** Null = the patch applies to the files below `root`; else what git says of it. */
export function refusalOf(root, name) {
  try {
    execFileSync('git', ['apply', '--check', patchPath(root, name)], { cwd: root, stdio: 'pipe' });
    return null;
  } catch (error) {
    return String(error.stderr).trim();
  }
}

const isTest = (path) => /^(?:test|plugins\/[^/]+\/test)\//.test(path);
const isProse = (path) => /\.md$/.test(path);

/**
 * The files of a patch by who writes them. `generated`: what the generators wrote after the patch
 * was applied.
 */
export function sorted(paths, generated) {
  const hand = paths.filter((path) => !isTest(path) && !isProse(path) && !generated.has(path));
  return { hand, tests: paths.filter(isTest), generated: paths.filter((path) => generated.has(path)) };
}
