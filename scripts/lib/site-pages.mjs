// The pages of the site of the documentation, from those of the repository: the same paths, with
// README.md as the page of its folder, and links that lead to a page or to a copy of the file.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const PAGES = [
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'docs/**/*.md',
  'templates/*/README.md',
  'schemas/README.md',
];

/** A link, whose text may hold code; else code, in which nothing is a link. */
const LINK_OR_CODE = /(!?\[(?:[^\][]|\[[^\]]*\])*\]\()([^)\s]+)(\))|`[^`]*`/g;
const FENCE = /^(\s*)(`{3,}|~{3,})/;

/** Changes links in prose; code stays. */
function mapLinks(text, change) {
  let fence = null;
  return text
    .split('\n')
    .map((line) => {
      const mark = FENCE.exec(line)?.[2];
      if (mark !== undefined && (fence === null || mark.startsWith(fence))) {
        fence = fence === null ? mark : null;
        return line;
      }
      if (fence !== null) return line;
      return line.replaceAll(LINK_OR_CODE, (whole, before, link, after) =>
        link === undefined ? whole : before + change(link) + after,
      );
    })
    .join('\n');
}

const titleOf = (text) => /^# (.+)$/m.exec(text)?.[1].replaceAll('`', '') ?? '';
const outPath = (path) => path.replace(/(^|\/)README\.md$/, '$1index.md');

/** A folder that has no page of its own gets a list of its pages. */
function folderPages(paths, textOf) {
  const folders = new Set(paths.filter((path) => path.startsWith('docs/')).map((path) => dirname(path)));
  return [...folders]
    .filter((folder) => !paths.includes(`${folder}/README.md`))
    .map((folder) => {
      const own = paths.filter((path) => dirname(path) === folder).sort();
      const list = own.map((path) => `- [${titleOf(textOf(path))}](${path.slice(folder.length + 1)})`);
      return [`${folder}/README.md`, `# ${folder.split('/').at(-1)}\n\n${list.join('\n')}\n`];
    });
}

/**
 * `pages`: path below the site's source -> text. `files`: other files of the repository that pages
 * link to -> where the copy lies. A link that leads nowhere throws.
 */
export function sitePages(root) {
  const paths = PAGES.flatMap((pattern) => globSync(pattern, { cwd: root }).map((path) => path.replaceAll('\\', '/')));
  const textOf = (path) => readFileSync(join(root, path), 'utf8');
  const sources = new Map([...paths.map((path) => [path, textOf(path)]), ...folderPages(paths, textOf)]);
  const files = new Map();
  const pages = new Map();
  for (const [path, text] of sources) {
    const change = (link) => {
      if (/^[a-z]+:/.test(link) || link.startsWith('#')) return link;
      const [file, anchor] = link.split('#');
      const target = normalize(join(dirname(path), decodeURIComponent(file))).replace(/\/$/, '');
      const hash = anchor === undefined ? '' : `#${anchor}`;
      if (sources.has(target)) return `/${outPath(target)}${hash}`;
      if (sources.has(`${target}/README.md`)) return `/${target}/index.md${hash}`;
      const place = join(root, target);
      if (!existsSync(place)) throw new Error(`${path}: ${link} leads nowhere`);
      if (statSync(place).isDirectory()) return `/docs/index.md`;
      // Browsers show a name that ends so as text.
      const copy = /\.[^/]+$/.test(target) ? target : `${target}.txt`;
      files.set(target, copy);
      return `/${copy}`;
    };
    pages.set(outPath(path), mapLinks(text, change));
  }
  return { pages, files };
}

const group = (text, pages, pattern) => ({
  text,
  collapsed: true,
  items: [...pages]
    .filter(([path]) => pattern.test(path) && !path.endsWith('index.md'))
    .map(([path, page]) => ({ text: titleOf(page), link: `/${path.replace(/\.md$/, '')}` }))
    .sort((a, b) => (a.text < b.text ? -1 : 1)),
});

/** What stands beside every page. */
export const sidebarOf = (pages) => [
  { text: 'kit', link: '/' },
  { text: 'Map of the documentation', link: '/docs/' },
  group('Learn', pages, /^docs\/tutorials\//),
  group('One task at a time', pages, /^docs\/how-to\//),
  group('Subjects and reference', pages, /^docs\/[^/]+$/),
  group('Kinds of files', pages, /^docs\/kinds\//),
  group('Plugins', pages, /^docs\/plugins\//),
  group('Diagnostics', pages, /^docs\/diagnostics\//),
  group('Design', pages, /^docs\/design\//),
];
