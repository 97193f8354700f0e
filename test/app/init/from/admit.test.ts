import { describe, expect, it } from 'vitest';
import { admit, BOUNDS } from '../../../../src/app/init/from/admit.js';
import type { SourceEntry } from '../../../../src/domain/ports/workspace-sources.js';

const file = (path: string, bytes = 10): SourceEntry => ({ path, kind: 'file', bytes, target: null });
const link = (path: string, target: string): SourceEntry => ({ path, kind: 'link', bytes: 0, target });
const WORKSPACE = file('workspace.yaml');

describe('what becomes a workspace', () => {
  it('is what lies at the top, or in the only folder that is one', () => {
    expect(admit([file('topologies/a.yaml'), WORKSPACE]).files.map(({ path }) => path)).toEqual([
      'topologies/a.yaml',
      'workspace.yaml',
    ]);
    expect(
      admit([file('README.md'), file('kit/workspace.yaml'), file('kit/roles/a.yaml'), file('src/a.ts')]).files,
    ).toEqual([
      { path: 'roles/a.yaml', from: 'kit/roles/a.yaml' },
      { path: 'workspace.yaml', from: 'kit/workspace.yaml' },
    ]);
  });

  it('has nothing of git, of kit, of packages, and nothing hidden', () => {
    const submodule: SourceEntry = { path: 'vendor', kind: 'submodule', bytes: 0, target: null };
    const skipped: SourceEntry = { path: '.git', kind: 'skipped', bytes: 0, target: null };
    const hidden = [
      '.kit/runs.db',
      '.kit/state.json',
      '.github/workflows/a.yml',
      '.vscode/tasks.json',
      '.envrc',
      'tools/node_modules/a/b.js',
    ];
    expect(admit([WORKSPACE, submodule, skipped, file('.gitignore'), ...hidden.map((path) => file(path))])).toEqual({
      files: [
        { path: '.gitignore', from: '.gitignore' },
        { path: 'workspace.yaml', from: 'workspace.yaml' },
      ],
      leftOut: [
        '.envrc',
        '.git',
        '.github',
        '.kit',
        '.vscode',
        'tools/node_modules',
        'vendor (a submodule: kit fetches none)',
      ],
    });
  });

  it('has the file that a link inside leads to', () => {
    expect(admit([WORKSPACE, file('docs/a.md'), link('notes/a.md', '../docs/a.md')]).files).toContainEqual({
      path: 'notes/a.md',
      from: 'docs/a.md',
    });
  });

  it.each<[string, readonly SourceEntry[], string]>([
    ['no workspace', [file('README.md')], 'there is no workspace.yaml'],
    ['a workspace two folders down', [file('a/b/workspace.yaml')], 'there is no workspace.yaml'],
    ['a directory by that name', [file('workspace.yaml/a.txt')], 'there is no workspace.yaml'],
    ['several', [file('b/workspace.yaml'), file('a/workspace.yml')], 'several workspaces: "a", "b"'],
    ['a way upwards', [WORKSPACE, file('../x')], 'not a name of a file'],
    ['a way upwards in the middle', [WORKSPACE, file('a/../../x')], 'not a name of a file'],
    ['an absolute name', [WORKSPACE, file('/etc/passwd')], 'not a name of a file'],
    ['a backslash', [WORKSPACE, file('a\\..\\x')], 'not a name of a file'],
    ['a drive', [WORKSPACE, file('C:x')], 'not a name of a file'],
    ['control characters', [WORKSPACE, file('a\u001b[2Jb')], 'not a name of a file'],
    ['a mark that reorders text', [WORKSPACE, file('a\u202etxt.sh')], 'not a name of a file'],
    ['a long name', [WORKSPACE, file('x'.repeat(400))], 'not a name of a file'],
    ['a link upwards', [WORKSPACE, link('a', '../secret')], 'a link out of the source'],
    ['an absolute link', [WORKSPACE, link('a', '/etc/passwd')], 'a link out of the source'],
    [
      'a link to what stays behind',
      [WORKSPACE, file('.git/config'), link('a', '.git/config')],
      'is not a file of the source',
    ],
    ['a link to a link', [WORKSPACE, link('a', 'b'), link('b', 'a')], 'is not a file of the source'],
    ['a link to a folder', [WORKSPACE, file('b/c'), link('a', 'b')], 'is not a file of the source'],
    ['a device', [WORKSPACE, { path: 'a', kind: 'other', bytes: 0, target: null }], 'is a device'],
    ['a large file', [WORKSPACE, file('a', BOUNDS.maxFileBytes + 1)], 'more than 5120 KiB'],
    [
      'a link to a large file',
      [WORKSPACE, file('.x', 1), file('b', BOUNDS.maxFileBytes + 1), link('a', 'b')],
      'more than',
    ],
    [
      'too much in all',
      [WORKSPACE, ...[1, 2, 3, 4, 5].map((n) => file(`f${n}`, BOUNDS.maxFileBytes))],
      'the files have',
    ],
    [
      'too many',
      Array.from({ length: 1_001 }, (_, n) => (n === 0 ? WORKSPACE : file(`f${n}`))),
      'there are 1001 files',
    ],
    ['names that are one on some machines', [WORKSPACE, file('A.yaml'), file('a.yaml')], 'are one name'],
  ])('refuses %s', (_, entries, message) => {
    expect(() => admit(entries)).toThrow(message);
    try {
      admit(entries);
    } catch (error) {
      expect(error).toMatchObject({ code: 'KIT_USAGE', hint: expect.stringMatching(/Nothing was written\.$/) });
    }
  });
});
