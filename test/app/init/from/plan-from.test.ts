import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeWorkspace } from '../../../../src/app/init/init-workspace.js';
import { nodeNewFiles } from '../../../../src/system/new-files.js';
import { createRepository, type TestRepository } from '../../../support/repository.js';
import { planIn, textOf, YAML } from './planned.js';

const plan = (from: string, environment?: NodeJS.ProcessEnv, directory?: string) =>
  planIn(base, from, environment, directory);
let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'kit-init-from-')));
});
const disposables: (() => void)[] = [];
afterEach(() => {
  for (const dispose of disposables.splice(0)) dispose();
  rmSync(base, { recursive: true, force: true });
});

const repository = (files: Readonly<Record<string, string>>): TestRepository => {
  const made = createRepository(files);
  disposables.push(() => made.dispose());
  return made;
};

describe('a workspace from a git repository', () => {
  it('is one commit, read and never checked out: no hook, filter, submodule or setting of it runs', async () => {
    const ran = join(base, 'ran');
    const repo = repository({
      'workspace.yaml': YAML,
      'docs/large.bin': 'kept as it is\n',
      '.gitattributes': '* filter=lfs\n',
      '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = ext::touch ${ran}\n`,
    });
    symlinkSync('docs/large.bin', join(repo.root, 'inside.md'));
    repo.git('add', '--all');
    repo.git('update-index', '--add', '--cacheinfo', `160000,${repo.git('rev-parse', 'HEAD').trim()},x`);
    repo.git('commit', '--quiet', '--message=second');
    repo.git('tag', 'v1');
    writeFileSync(join(repo.root, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
    for (const key of [
      'core.fsmonitor',
      'core.sshCommand',
      'uploadpack.packObjectsHook',
      'core.pager',
      'filter.lfs.smudge',
    ])
      repo.git('config', key, `touch ${ran}`);
    // A user who has Git LFS has this filter for all repositories.
    const home = join(base, 'home');
    mkdirSync(join(home, 'hooks'), { recursive: true });
    writeFileSync(join(home, 'hooks/post-checkout'), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
    writeFileSync(
      join(home, '.gitconfig'),
      `[filter "lfs"]\n\tsmudge = touch ${ran}\n\trequired = true\n[core]\n\thooksPath = ${home}/hooks\n[protocol "ext"]\n\tallow = always\n[submodule]\n\trecurse = true\n`,
    );

    const found = await plan(`file://${repo.root}#v1`, { PATH: process.env.PATH, HOME: home, GIT_DIR: '/nowhere' });

    const commit = repo.git('rev-parse', 'HEAD').trim();
    expect(found.origin).toEqual({ kind: 'git', url: `file://${repo.root}`, commit });
    expect(found.files.map(({ path }) => path)).toEqual(['docs/large.bin', 'inside.md', 'workspace.yaml']);
    expect(textOf(found, 'inside.md')).toBe('kept as it is\n');
    expect(textOf(found, 'workspace.yaml')).toBe(`# From file://${repo.root} at ${commit}\n${YAML}`);
    expect(found.leftOut).toEqual(['.gitattributes', '.gitmodules', 'x (a submodule: kit fetches none)']);
    expect([existsSync(ran), readdirSync(join(base, 'temp')), existsSync(join(base, 'new'))]).toEqual([
      false,
      [],
      false,
    ]);
  });

  it('is refused where a link leads out, a name is missing, or nothing is there', async () => {
    const repo = repository({ 'workspace.yaml': YAML });
    symlinkSync('/etc/passwd', join(repo.root, 'notes.md'));
    repo.git('add', '--all');
    repo.git('commit', '--quiet', '--message=second');
    await expect(plan(`file://${repo.root}`)).rejects.toThrow(
      '"notes.md" is a link out of the source, to "/etc/passwd"',
    );
    await expect(plan(`file://${repo.root}#nope`)).rejects.toThrow(/git fetch of file:.*#nope: fatal: .*nope/);
    await expect(plan(`file://${base}/nowhere`)).rejects.toThrow(/git fetch of file:/);
    expect(readdirSync(join(base, 'temp'))).toEqual([]);
  });
});

describe('a workspace from a directory', () => {
  const write = (path: string, text: string): void => {
    mkdirSync(join(base, 'team', path, '..'), { recursive: true });
    writeFileSync(join(base, 'team', path), text, { mode: 0o755 });
  };

  it('is written with the same bytes, nothing executable, and never over what is there', async () => {
    write('workspace.yaml', YAML);
    write('README.md', 'theirs');
    write('tools/run.sh', 'touch x\n');
    write('notes/a.bin', '\u0000ÿ');
    write('.kit/runs.db', 'state');
    write('node_modules/x/index.js', 'x');
    const found = await plan('team');
    await writeWorkspace(found, { newFiles: nodeNewFiles });
    expect(readdirSync(join(base, 'new'), { recursive: true }).sort()).toEqual(
      ['README.md', 'notes', 'notes/a.bin', 'tools', 'tools/run.sh', 'workspace.yaml'].sort(),
    );
    expect(readFileSync(join(base, 'new/notes/a.bin'))).toEqual(readFileSync(join(base, 'team/notes/a.bin')));
    expect(statSync(join(base, 'new/tools/run.sh')).mode & 0o111).toBe(0);
    await expect(plan('team')).rejects.toThrow(`${base}/new already holds workspace.yaml, notes/a.bin, tools/run.sh`);

    mkdirSync(join(base, 'own'));
    writeFileSync(join(base, 'own/README.md'), 'ours');
    expect((await plan('team', {}, join(base, 'own'))).skipped).toEqual(['README.md']);
    mkdirSync(join(base, 'elsewhere'));
    mkdirSync(join(base, 'linked'));
    symlinkSync(join(base, 'elsewhere'), join(base, 'linked/tools'));
    await expect(plan('team', {}, join(base, 'linked'))).rejects.toThrow(/tools in .* is a link to/);
  });

  it('is refused with a pipe, a link out, or far too many files', async () => {
    write('workspace.yaml', YAML);
    execFileSync('mkfifo', [join(base, 'team/pipe')]);
    await expect(plan('team')).rejects.toThrow('"pipe" is a device, a pipe or a hard link');
    rmSync(join(base, 'team/pipe'));
    symlinkSync('../../etc', join(base, 'team/out'));
    await expect(plan('team')).rejects.toThrow('a link out of the source');
    rmSync(join(base, 'team/out'));
    for (let n = 0; n < 1_001; n++) writeFileSync(join(base, 'team', `f${n}`), '');
    await expect(plan('team')).rejects.toThrow('holds more than 1000 files and folders');
    rmSync(join(base, 'team'), { recursive: true });
    mkdirSync(join(base, 'team'));
    await expect(plan('team')).rejects.toThrow('there is no workspace.yaml');
  });
});
