import { existsSync, globSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/kit-process.js';
import { anchorsOf, linksOf, readText, tracked } from '../support/markdown.js';

/** Pages of the repository. Those of skeletons stand in packages of their own. */
const PAGES = tracked('*.md').filter((path) => !/^(?:test|plugins|templates\/plugins)\//.test(path));
/** Pages that tell people where things are. */
const MAPS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'];

/** npm takes these along whatever `files` says. */
const ALWAYS_SHIPPED = ['package.json', 'README.md', 'LICENSE'];
const { files } = JSON.parse(readText('package.json')) as { readonly files: readonly string[] };
const shippedFolders = files.filter((entry) => entry.startsWith('/')).map((entry) => entry.slice(1));
const isShipped = (path: string): boolean =>
  ALWAYS_SHIPPED.includes(path) || shippedFolders.some((entry) => path === entry || path.startsWith(`${entry}/`));

const isHere = (link: string): boolean => !/^[a-z]+:/.test(link);

/** A target of a link within the repository, its anchor apart; '' = the root. */
function targetOf(page: string, link: string): { readonly path: string; readonly anchor: string | null } {
  const [file = '', anchor = null] = link.split('#');
  const path = file === '' ? page : normalize(join(dirname(page), decodeURIComponent(file)));
  return { path: path.replace(/\/$/, ''), anchor };
}

function problemOf(page: string, link: string): string | null {
  const { path, anchor } = targetOf(page, link);
  const place = join(projectRoot, path);
  if (!existsSync(place)) return `${link} leads nowhere`;
  if (isShipped(page) && !isShipped(path)) return `${link} leads out of the package`;
  if (anchor === null || !statSync(place).isFile()) return null;
  return anchorsOf(readText(path)).has(anchor) ? null : `${link} has no such anchor`;
}

/** Words in code that are paths from the root: `src/app/*.ts`, `plugins/<plugin>/src/`. */
const ROOTED = /(?:^|[\s`(])((?:\.ci|bin|docs|plugins|schemas|scripts|src|templates|test)\/[\w./<>*-]+)/g;
const codeOf = (page: string): string =>
  [...page.matchAll(/```[^\n]*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(([, block, word]) => block ?? ` ${word}`).join('\n');
const pathsIn = (page: string): readonly string[] => [
  ...new Set([...codeOf(page).matchAll(ROOTED)].map((match) => (match[1] ?? '').replace(/[.,]$/, ''))),
];
const isThere = (path: string): boolean =>
  globSync(path.replaceAll(/<[^>]+>/g, '*').replace(/\/$/, ''), { cwd: projectRoot }).length > 0;

/** What a page says a run leaves behind, and what an example would make. */
const NOT_YET_THERE = new Set(['templates/quickstart/.kit/', 'plugins/<plugin>/src/commands/a/b.ts']);

describe('links', () => {
  it.each(PAGES)('of %s lead to a page and an anchor that are there, also in the package', (page) => {
    const problems = linksOf(readText(page))
      .filter(isHere)
      .flatMap((link) => problemOf(page, link) ?? []);

    expect(problems).toEqual([]);
  });

  it('are found where they lead nowhere, out of the package, or to no anchor', () => {
    expect(problemOf('docs/README.md', 'gone.md')).toBe('gone.md leads nowhere');
    expect(problemOf('docs/README.md', '../CONTRIBUTING.md')).toBe('../CONTRIBUTING.md leads out of the package');
    expect(problemOf('docs/README.md', 'auth.md#nowhere')).toBe('auth.md#nowhere has no such anchor');
    expect(problemOf('CONTRIBUTING.md', 'ARCHITECTURE.md')).toBeNull();
  });
});

describe('paths', () => {
  it.each(MAPS)('that %s names exist', (page) => {
    const paths = pathsIn(readText(page)).filter((path) => !NOT_YET_THERE.has(path));

    expect(paths.filter((path) => !isThere(path))).toEqual([]);
    expect(paths.length).toBeGreaterThan(0);
  });

  it('are found in words and in blocks of code', () => {
    const page = 'See `src/gone.ts`.\n\n```text\n plugins/*/src  src/lib/\n```\n';

    expect(pathsIn(page)).toEqual(['src/gone.ts', 'plugins/*/src', 'src/lib/']);
    expect(pathsIn(page).filter((path) => !isThere(path))).toEqual(['src/gone.ts']);
  });
});

describe('the README', () => {
  it('is for users: at most 120 lines', () => {
    expect(readText('README.md').split('\n').length - 1).toBeLessThanOrEqual(120);
  });
});

describe('the licence', () => {
  it('is the one that package.json names', () => {
    expect(JSON.parse(readText('package.json')).license).toBe('Apache-2.0');
    expect(readText('LICENSE')).toMatch(/^\s+Apache License\n\s+Version 2\.0, January 2004\n/);
  });
});
