import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from './world.js';

export interface Repository {
  readonly root: string;
  git(...args: string[]): string;
  /**
   * Hash over every file of the user with its mode and time, and over all of `.git` but objects and
   * the list of worktrees.
   */
  digest(): string;
}

/** A git repository with one commit in a world. */
export function makeRepositoryIn(world: World, name: string, files: Readonly<Record<string, string>>): Repository {
  const root = world.files(name, files);
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, env: world.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.com');
  git('add', '--all');
  git('commit', '--quiet', '--message=first');
  return { root, git, digest: () => digestOf(root) };
}

/** What kit itself owns in a workspace. */
const STATE = '.kit';

export function digestOf(root: string): string {
  const hash = createHash('sha256');
  const visit = (path: string): void => {
    if (path === join(root, '.git', 'objects') || path === join(root, '.git', 'worktrees')) return;
    const info = lstatSync(path);
    // The time of a directory changes when kit makes its state directory in it.
    hash.update(`${path} ${info.mode} ${info.isFile() ? info.mtimeMs : ''}\n`);
    if (info.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (info.isFile()) hash.update(readFileSync(path));
    else if (info.isDirectory())
      for (const entry of readdirSync(path).sort()) if (entry !== STATE) visit(join(path, entry));
  };
  visit(root);
  return hash.digest('hex');
}
