import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What is known of a repository before anything runs. */
export interface Repository {
  readonly scripts: Readonly<Record<string, string>>;
  /** The command to run its tests; null = none was found. */
  readonly testCommand: readonly string[] | null;
}

/** The script that `npm init` writes. */
const PLACEHOLDER = /no test specified/;

const LOCKS: readonly (readonly [file: string, manager: readonly string[]])[] = [
  ['pnpm-lock.yaml', ['pnpm', 'test']],
  ['yarn.lock', ['yarn', 'test']],
  ['bun.lock', ['bun', 'run', 'test']],
  ['bun.lockb', ['bun', 'run', 'test']],
];

/** Files that say how tests are run; a pattern must be found in the file. */
const MARKS: readonly (readonly [file: string, pattern: RegExp, command: readonly string[]])[] = [
  ['pytest.ini', /(?:)/, ['pytest']],
  ['conftest.py', /(?:)/, ['pytest']],
  ['pyproject.toml', /^\[tool\.pytest/m, ['pytest']],
  ['tox.ini', /^\[pytest\]/m, ['pytest']],
  ['setup.cfg', /^\[tool:pytest\]/m, ['pytest']],
  ['Cargo.toml', /(?:)/, ['cargo', 'test']],
  ['go.mod', /(?:)/, ['go', 'test', './...']],
  ['Makefile', /^test\s*:/m, ['make', 'test']],
];

const textOf = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null);

function scriptsOf(root: string): Readonly<Record<string, string>> {
  try {
    const manifest: unknown = JSON.parse(textOf(join(root, 'package.json')) ?? '{}');
    const scripts: unknown =
      typeof manifest === 'object' && manifest !== null && 'scripts' in manifest ? manifest.scripts : {};
    const entries = Object.entries(typeof scripts === 'object' && scripts !== null ? scripts : {});
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    // A package.json that is not JSON stops npm too; its own message is better than ours.
    return {};
  }
}

/** Files that make a directory the root of a project. */
const PROJECT_FILES = ['package.json', 'deno.json', 'pom.xml', ...MARKS.map(([file]) => file)];

/**
 * Where tests are run: kit's workspace may lie in a folder of its own (`kit/`), so it is the
 * nearest directory upwards that holds a project, at most the top of the repository; without one,
 * the top.
 */
export function projectRoot(start: string): string {
  for (let directory = start; ; directory = dirname(directory)) {
    if (PROJECT_FILES.some((file) => existsSync(join(directory, file)))) return directory;
    if (existsSync(join(directory, '.git'))) return directory;
    if (dirname(directory) === directory) return start;
  }
}

/** Looks for the test command: the package's script first, then the marks of other languages. */
export function inspectRepository(root: string): Repository {
  const scripts = scriptsOf(root);
  const test = scripts.test;
  if (test !== undefined && test.trim() !== '' && !PLACEHOLDER.test(test)) {
    const manager = LOCKS.find(([file]) => existsSync(join(root, file)))?.[1] ?? ['npm', 'test'];
    return { scripts, testCommand: manager };
  }
  const mark = MARKS.find(
    ([file, pattern]) => pattern.test(textOf(join(root, file)) ?? '\0no such file') && existsSync(join(root, file)),
  );
  return { scripts, testCommand: mark?.[2] ?? null };
}
