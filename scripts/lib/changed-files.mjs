// What `npm test -- --changed` counts as changed: the files that git tells, and the modules that
// such a file reaches without an import, so that the test runner finds the tests behind them.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const MODULE = /\.(?:ts|tsx|mjs)$/;
/** What `npm run build` makes dist of, and what the built program reads. */
const BUILT = /^(?:src|plugins|schemas|templates|bin)\//;
/**
 * A module of the tests that starts a process from dist, or from sources that it does not import.
 */
const STARTS_PROCESS = /\bkit\.js\b|\bdist\/|processes-typescript|-(?:process|worker)\.(?:ts|mjs|js)\b/;

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Does a module name this file, or a folder that it lies in, in a text of its own? */
function namesOf(file) {
  const inside = file.replace(/^(?:test|plugins\/[^/]+)\//, '');
  const places = [file, inside].flatMap((path) =>
    path.split('/').map((_, index, segments) => segments.slice(0, index + 1).join('/')),
  );
  return new RegExp(`['"\`](?:\\.{0,2}/)*(?:${[...new Set(places)].map(escaped).join('|')})(?:/?['"\`]|/\\$\\{)`);
}

/**
 * `changed`: paths from the root, as git tells them; `modules`: path -> text of every module of the
 * repository. Gives the paths that count as changed.
 */
export function reachOf(changed, modules) {
  const all = Object.entries(modules);
  const reached = new Set(changed);
  const reach = (isReached) => {
    for (const [path, text] of all) if (isReached(path, text)) reached.add(path);
  };
  if (changed.length > 0) reach((path) => /^test\/(?:house|budget)\//.test(path));
  if (changed.some((path) => BUILT.test(path)))
    reach((path, text) => path.startsWith('test/') && STARTS_PROCESS.test(text));
  if (changed.some((path) => path.startsWith('schemas/'))) reach((path) => path.includes('/generated/'));
  if (changed.some((path) => /^plugins\/[^/]+\/schemas\//.test(path)))
    reach((path) => path === 'src/lib/generated/known-validators.ts' || /^plugins\/.*\/generated\//.test(path));
  for (const file of changed.filter((path) => !MODULE.test(path) && path.includes('/'))) {
    const names = namesOf(file);
    reach((_, text) => names.test(text));
  }
  return [...reached];
}

async function git(root, ...args) {
  const { stdout } = await promisify(execFile)('git', args, { cwd: root, maxBuffer: 64 * 1024 ** 2 });
  return stdout.split('\0').filter(Boolean);
}

async function modulesOf(root) {
  const listed = await git(root, 'ls-files', '-z', '--cached', '--others', '--', 'src', 'plugins', 'test', 'scripts');
  const paths = listed.filter((path) => MODULE.test(path) && !/(?:^|\/)(?:dist|node_modules)\//.test(path));
  const read = async (path) => [path, await readFile(join(root, path), 'utf8').catch(() => '')];
  return Object.fromEntries(await Promise.all(paths.map(read)));
}

/**
 * What changed since a commit (default: since the last one) and is not committed, with what it
 * reaches, as the test runner's `vcsProvider` wants it: absolute paths.
 */
export async function findChangedFiles({ root, changedSince }) {
  const since =
    typeof changedSince === 'string' ? [git(root, 'diff', '--name-only', '-z', `${changedSince}...HEAD`)] : [];
  const found = await Promise.all([
    ...since,
    git(root, 'diff', '--name-only', '-z', 'HEAD'),
    git(root, 'ls-files', '-z', '--others', '--exclude-standard'),
  ]);
  const reached = reachOf([...new Set(found.flat())], await modulesOf(root));
  return reached.map((path) => resolve(root, path)).filter((path) => existsSync(path));
}
