import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findWorkspace } from '../../src/boot/discovery/find-workspace.js';

const userId = process.getuid?.() ?? null;
let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'kit-find-')));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Makes a directory, and a workspace of it where a file is named. */
function dir(path: string, file?: string): string {
  const made = join(base, path);
  mkdirSync(made, { recursive: true });
  if (file !== undefined) writeFileSync(join(made, file), 'kind: Workspace\n');
  return made;
}

const from = (cwd: string, home: string | null = null) => findWorkspace({ cwd, home, userId });

describe('whoever names no workspace', () => {
  it('has the one in which they stand, else the nearest above', () => {
    const outer = dir('a', 'workspace.yaml');
    const inner = dir('a/b', 'workspace.json');
    expect(from(inner)).toEqual({ kind: 'here' });
    expect(from(dir('a/b/topologies/old'))).toEqual({ kind: 'above', directory: inner });
    expect(from(dir('a/c'))).toEqual({ kind: 'above', directory: outer });
  });

  it('has the only one directly below, and none of several', () => {
    const kit = dir('repo/kit', 'workspace.yml');
    expect(from(dir('repo'))).toEqual({ kind: 'below', directory: kit });
    const more = dir('repo/more', 'workspace.yaml');
    expect(from(dir('repo'))).toEqual({ kind: 'several', directories: [kit, more] });
    dir('deep/a/b', 'workspace.yaml');
    dir('deep/.hidden', 'workspace.yaml');
    expect(from(dir('deep'))).toEqual({ kind: 'none' });
  });

  it('gets nothing from above the root of a repository or the home directory', () => {
    dir('.', 'workspace.yaml');
    dir('repo/.git');
    expect(from(dir('repo/src'))).toEqual({ kind: 'none' });
    dir('home/project');
    expect(from(dir('home/project'), join(base, 'home'))).toEqual({ kind: 'none' });
    expect(from(join(base, 'home'), join(base, 'home'))).toEqual({ kind: 'none' });
    expect(from(dir('home/project'))).toEqual({ kind: 'above', directory: base });
    // A worktree or a submodule has a file in that place.
    writeFileSync(join(dir('tree'), '.git'), 'gitdir: elsewhere\n');
    expect(from(dir('tree/src'))).toEqual({ kind: 'none' });
    // The root itself is looked at.
    writeFileSync(join(base, 'repo', 'workspace.yaml'), '');
    expect(from(dir('repo/src'))).toEqual({ kind: 'above', directory: join(base, 'repo') });
  });

  it('gets nothing that everybody may write to, above or below', () => {
    const shared = dir('shared', 'workspace.yaml');
    chmodSync(shared, 0o1777);
    expect(from(dir('shared/mine'))).toEqual({ kind: 'none' });
    expect(from(dir('.'))).toEqual({ kind: 'none' });
    chmodSync(shared, 0o755);
    chmodSync(join(shared, 'workspace.yaml'), 0o666);
    expect(from(dir('shared/mine'))).toEqual({ kind: 'none' });
  });

  it.runIf(userId === 0)('gets nothing of another user', () => {
    const theirs = dir('theirs', 'workspace.yaml');
    chownSync(theirs, 12_345, 12_345);
    expect(from(dir('theirs/sub'))).toEqual({ kind: 'none' });
    chownSync(theirs, 0, 0);
    chownSync(join(theirs, 'workspace.yaml'), 12_345, 12_345);
    expect(from(dir('theirs/sub'))).toEqual({ kind: 'none' });
    expect(findWorkspace({ cwd: join(theirs, 'sub'), home: null, userId: null })).toMatchObject({ kind: 'above' });
  });
});
