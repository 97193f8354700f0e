import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sitePages } from '../../scripts/lib/site-pages.mjs';
import { projectRoot } from '../support/kit-process.js';

/** It keeps a processor busy for half a minute: on a machine with others, for minutes. */
const BUILD_MS = 600_000;
const site = mkdtempSync(join(tmpdir(), 'kit-site-'));
beforeAll(async () => {
  const npm = ['run', '-s', 'docs', '--', site];
  await promisify(execFile)('npm', npm, { cwd: projectRoot, maxBuffer: 64 * 1024 * 1024 });
}, BUILD_MS);
afterAll(() => rmSync(site, { recursive: true, force: true }));

const UNESCAPED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };
const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => UNESCAPED[name] ?? '')
    .replaceAll('\u200b', '')
    .replaceAll(/\s+/g, ' ')
    .trim();
/** What Markdown makes of a line, without its marks. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/!?\[((?:[^\][]|\[[^\]]*\])*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`([^`]*)`|[`*]|\\(?=[|<])/g, (_, code?: string) => code ?? '')
    .replaceAll(/<a id="[^"]*"><\/a>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll(/\s+/g, ' ')
    .trim();

const html = (path: string): string => readFileSync(join(site, path), 'utf8');
const mainOf = (page: string): string => /<main[\s\S]*<\/main>/.exec(page)?.[0] ?? '';
const { pages } = sitePages(projectRoot);
const builtOf = (path: string): string => path.replace(/\.md$/, '.html');

/** Headings of a page, code apart. */
const headingsOf = (markdown: string): readonly string[] =>
  [...markdown.replaceAll(/^(`{3,})[\s\S]*?^\1/gm, '').matchAll(/^#{1,3} (.+)$/gm)].map(([, text]) =>
    plain(text ?? ''),
  );
/** The first line of prose. */
const firstLineOf = (markdown: string): string =>
  plain(markdown.split('\n').find((line) => /^[A-Z`[]/.test(line) && !line.startsWith('```')) ?? '');

/** Where a link of a built page leads; null = to another site. */
function problemOf(path: string, href: string): string | null {
  if (/^(?:[a-z]+:|\/\/)/.test(href)) return null;
  const [file = '', anchor = ''] = href.split('#');
  const target = file === '' ? path : file.startsWith('/') ? file.slice(1) : join(dirname(path), file);
  const place = join(site, decodeURIComponent(target));
  const found = existsSync(place) && statSync(place).isDirectory() ? join(place, 'index.html') : place;
  if (!existsSync(found)) return `${path}: ${href} leads nowhere`;
  if (anchor === '' || !found.endsWith('.html')) return null;
  const id = decodeURIComponent(anchor);
  return readFileSync(found, 'utf8').includes(` id="${id}"`) ? null : `${path}: ${href} has no such anchor`;
}

describe('the site of the documentation', () => {
  it('has every page, with its headings and its first sentence', () => {
    const wrong = [...pages].flatMap(([path, markdown]) => {
      const shown = existsSync(join(site, builtOf(path))) ? textOf(mainOf(html(builtOf(path)))) : '';
      const wanted = [...headingsOf(markdown), firstLineOf(markdown)];
      return wanted.filter((text) => !shown.includes(text)).map((text) => `${path}: ${text}`);
    });
    expect(wrong).toEqual([]);
  });

  it('has no link that leads nowhere', () => {
    const built = globSync('**/*.html', { cwd: site }).filter((path) => path !== '404.html');
    expect(built.length).toBe(pages.size);
    const problems = built.flatMap((path) => {
      const links = [...html(path).matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href]) => href ?? '');
      return [...new Set(links)].flatMap((href) => problemOf(path, href.replaceAll('&amp;', '&')) ?? []);
    });
    expect(problems).toEqual([]);
  });

  it('keeps placeholders and braces as they are written, and finds words offline', () => {
    expect(textOf(mainOf(html('docs/kinds/topology.html')))).toContain('<name>');
    const index = globSync('assets/chunks/@localSearchIndexroot*.js', { cwd: site });
    expect(index).toHaveLength(1);
    expect(html(index[0] ?? '')).toContain('quorum');
  });
});
