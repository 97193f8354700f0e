import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * A git repository of its own in a private directory, with a private home and a folder for
 * temporary files.
 */
export interface TestRepository {
  /** The directory that holds everything. */
  readonly base: string;
  readonly root: string;
  readonly temp: string;
  readonly env: Readonly<Record<string, string>>;
  git(...args: string[]): string;
  write(path: string, content: string | Uint8Array, mode?: number): void;
  read(path: string): string;
  /**
   * Hash over the user's files and over everything in `.git` but objects and the list of worktrees.
   */
  digest(): string;
  dispose(): void;
}

export function createRepository(files: Readonly<Record<string, string>> = { 'a.txt': 'a\n' }): TestRepository {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'kit-test-repository-')));
  const [root, temp, home] = ['repository', 'temp', 'home'].map((name) => {
    mkdirSync(join(base, name));
    return join(base, name);
  }) as [string, string, string];
  const env = { PATH: process.env.PATH ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const write = (path: string, content: string | Uint8Array, mode?: number): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    if (mode !== undefined) chmodSync(join(root, path), mode);
  };
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.com');
  for (const [path, content] of Object.entries(files)) write(path, content);
  if (Object.keys(files).length > 0) {
    git('add', '--all');
    git('commit', '--quiet', '--message=first');
  }
  return {
    base,
    root,
    temp,
    env,
    git,
    write,
    read: (path) => readFileSync(join(root, path), 'utf8'),
    digest: () => digestOf(root),
    dispose: () => rmSync(base, { recursive: true, force: true }),
  };
}

function digestOf(root: string): string {
  const hash = createHash('sha256');
  const visit = (path: string): void => {
    if (path === join(root, '.git', 'objects') || path === join(root, '.git', 'worktrees')) return;
    const info = lstatSync(path);
    hash.update(`${path} ${info.mode}\n`);
    if (info.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (info.isFile()) hash.update(readFileSync(path)).update(String(info.mtimeMs));
    else if (info.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name));
  };
  visit(root);
  return hash.digest('hex');
}
