// npm run docs [-- FOLDER]: builds the documentation as a static site with search, by default into
// site/. VitePress is installed once into the user's cache, never by `npm ci`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { sidebarOf, sitePages } from './lib/site-pages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const own = join(root, 'scripts', 'site');
const lock = readFileSync(join(own, 'package-lock.json'));
// Outside of the checkout: the repository's own tsconfig.json is for another compiler.
const caches = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
const cache = join(caches, 'kit-docs', createHash('sha256').update(lock).digest('hex').slice(0, 12));

/** VitePress tells how far it is on stderr. */
const PROGRESS = /^[-✓✔] (?:building client \+ server bundles|rendering pages)\.\.\.$/;

function run(argv, options) {
  const [program, ...words] = argv;
  const ended = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, ...options });
  const said = `${ended.error?.message ?? ''}${ended.stdout ?? ''}${ended.stderr ?? ''}`;
  const warned = stripVTControlCharacters(ended.stderr ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !PROGRESS.test(line));
  return { isDone: ended.status === 0, said, warned };
}

function fail(what, said) {
  process.stderr.write(`${said.trimEnd()}\n${what}\n`);
  process.exit(1);
}

if (!existsSync(join(cache, 'installed'))) {
  console.log('installing VitePress, once');
  mkdirSync(cache, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(own, name), join(cache, name));
  const installed = run(['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: cache });
  if (!installed.isDone)
    fail('VitePress could not be installed: npm run docs needs the npm registry once', installed.said);
  writeFileSync(join(cache, 'installed'), '');
}

const target = resolve(process.argv[2] ?? join(root, 'site'));
const source = mkdtempSync(join(cache, 'source-'));
const { pages, files } = sitePages(root);
const write = (path, text) => {
  mkdirSync(dirname(join(source, path)), { recursive: true });
  writeFileSync(join(source, path), text);
};
for (const [path, text] of pages) write(path, text);
for (const [path, copy] of files) {
  mkdirSync(dirname(join(source, 'public', copy)), { recursive: true });
  cpSync(join(root, path), join(source, 'public', copy));
}
write('.vitepress/config.mjs', readFileSync(join(own, 'config.mjs'), 'utf8'));
write('.vitepress/sidebar.json', JSON.stringify(sidebarOf(pages)));

const vitepress = join(cache, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
const built = run([process.execPath, vitepress, 'build', source, '--outDir', target], { cwd: cache });
rmSync(source, { recursive: true, force: true });
// A page that is empty or cut is built with exit 0, and said on stderr.
if (!built.isDone || built.warned.length > 0) fail('the site was not built', built.said);
console.log(`${pages.size} pages: ${join(target, 'index.html')}`);
