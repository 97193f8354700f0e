// What main.ts does.
import { mkdtempSync, rmSync } from 'node:fs';
import { lstat, mkdir, readdir, realpath, symlink, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectRoot } from './detect.js';
import { runTests } from './run-tests.js';

/**
 * Folders of caches that tools keep beside packages: each run has its own, and it goes with the
 * worktree.
 */
const CACHES = new Set(['.cache', '.vite', '.vite-temp', '.vitest', '.vitest-cache']);

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (info) => info.isSymbolicLink(),
    () => false,
  );

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/**
 * The directory and those above it, up to the top of the repository; the directory alone outside
 * one.
 */
async function foldersUp(start: string): Promise<readonly string[]> {
  const folders: string[] = [];
  for (let folder = start; ; folder = dirname(folder)) {
    folders.push(folder);
    if (await exists(join(folder, '.git'))) return folders;
    if (dirname(folder) === folder) return [start];
  }
}

/**
 * Turns a linked folder into a folder of links. A worktree links `node_modules` as a whole, so a
 * runner that keeps a cache in it (Vite writes there on every start) would write into the user's
 * own folder; new entries now stay in the worktree. Touches only folders that were named as linked,
 * there or in a directory above in the same repository, and only where they are links.
 */
async function ownLinks(start: string, names: readonly string[]): Promise<void> {
  for (const folder of await foldersUp(start)) for (const name of names) await ownLink(join(folder, name));
}

async function ownLink(path: string): Promise<void> {
  if (!(await isLink(path))) return;
  const target = await realpath(path);
  const entries = await readdir(target);
  await unlink(path);
  await mkdir(path);
  for (const entry of entries) if (!CACHES.has(entry)) await symlink(join(target, entry), join(path, entry));
}

const args = process.argv.slice(2);

/** The value after an option, or null. */
function option(name: string): string | null {
  const at = args.indexOf(name);
  return at === -1 ? null : (args[at + 1] ?? null);
}

/** A JSON list of words, or anything else as it is. */
function wordsOf(text: string | null): string | readonly string[] | null {
  if (text === null || !text.startsWith('[')) return text;
  try {
    const words: unknown = JSON.parse(text);
    return Array.isArray(words) ? words.map(String) : text;
  } catch {
    // `[ -f x ] && make test` is a line for a shell.
    return text;
  }
}

const reportDir = mkdtempSync(join(tmpdir(), 'kit-tests-'));
const cleanUp = (): void => rmSync(reportDir, { recursive: true, force: true });
// Whoever ends the run asks the whole group first: the tests get the signal themselves, this
// process only tidies up.
for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const) {
  process.on(signal, () => {
    cleanUp();
    process.exit(code);
  });
}

// --command <line or JSON list of words>; without it the repository says. --links <JSON list of
// linked folders>.
const links = wordsOf(option('--links'));
try {
  await ownLinks(process.cwd(), typeof links === 'string' ? [links] : (links ?? []));
  process.exitCode = await runTests({
    cwd: projectRoot(process.cwd()),
    env: process.env,
    command: wordsOf(option('--command')),
    reportDir,
    nodeReporter: new URL('./node-reporter.js', import.meta.url).href,
    write: (line) => process.stdout.write(`${JSON.stringify(line)}\n`),
  });
} finally {
  cleanUp();
}
