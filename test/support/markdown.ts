import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './kit-process.js';

/** Files of the repository that git knows or would add, by pathspecs; relative to its root. */
export const tracked = (...patterns: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(projectRoot, path)));

export const readText = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

const withoutBlocks = (page: string): string => page.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '');

/** The anchor that a renderer gives a heading: lower case, words joined by hyphens. */
const slugOf = (heading: string): string =>
  heading
    .replaceAll(/`|\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** Anchors of a page: `<a id="...">`, and those of its headings. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const text = withoutBlocks(page);
  const written = [...text.matchAll(/<a id="([^"]+)">/g)].map((match) => match[1] ?? '');
  const headings = [...text.matchAll(/^#{1,6} +(.*)$/gm)].map((match) => slugOf(match[1] ?? ''));
  return new Set([...written, ...headings]);
}

/** Targets of the links of a page, as they are written. */
export const linksOf = (page: string): readonly string[] =>
  [...withoutBlocks(page).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
