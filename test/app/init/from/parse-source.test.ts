import { describe, expect, it } from 'vitest';
import { parseSource } from '../../../../src/app/init/from/parse-source.js';

const place = {
  cwd: '/here',
  isDirectory: async (path: string) => path === '/here/team',
  isFile: async (path: string) => path === '/here/team.tgz',
};
const parse = (text: string) => parseSource(text, place);

describe('what --from names', () => {
  it.each([
    ['https://git.example.com/a/b.git', { kind: 'git', url: 'https://git.example.com/a/b.git', ref: null }],
    ['https://git.example.com/a/b#v1.2.0', { kind: 'git', url: 'https://git.example.com/a/b', ref: 'v1.2.0' }],
    ['git+https://git.example.com/a/b', { kind: 'git', url: 'https://git.example.com/a/b', ref: null }],
    [
      'ssh://git@git.example.com/a/b#feature/x',
      { kind: 'git', url: 'ssh://git@git.example.com/a/b', ref: 'feature/x' },
    ],
    ['git@git.example.com:a/b.git', { kind: 'git', url: 'git@git.example.com:a/b.git', ref: null }],
    ['file:///srv/git/b', { kind: 'git', url: 'file:///srv/git/b', ref: null }],
    ['team', { kind: 'directory', path: '/here/team' }],
    ['npm:team', { kind: 'npm', spec: 'team' }],
    ['review-team', { kind: 'npm', spec: 'review-team' }],
    ['@acme/review-team@^1.2.0', { kind: 'npm', spec: '@acme/review-team@^1.2.0' }],
    ['team.tgz', { kind: 'tarball', path: '/here/team.tgz' }],
  ])('%s', async (text, expected) => {
    expect(await parse(text)).toEqual(expected);
  });

  it.each([
    ['-oProxyCommand=touch', 'is not a source'],
    ['--upload-pack=touch', 'is not a source'],
    ['', 'is not a source'],
    ['ext::sh -c touch% /tmp/x', 'kit fetches no'],
    ['fd::17', 'kit fetches no'],
    ['http://git.example.com/a', 'kit fetches no'],
    ['git://git.example.com/a', 'kit fetches no'],
    ['ssh://-oProxyCommand=touch/a', '--from'],
    ['ssh://git@git.example.com/-x', 'names no repository'],
    ['git@git.example.com:-x', 'is not a directory'],
    ['https://ann:secret@git.example.com/a', 'holds a user or a password'],
    ['https://token@git.example.com/a', 'holds a user or a password'],
    ['https://git.example.com/a#--upload-pack=x', 'is not a branch'],
    ['https://git.example.com/a#+refs/*:refs/*', 'is not a branch'],
    ['https://git.example.com/a#../x', 'is not a branch'],
    ['owner/name', 'is not a directory'],
    ['./nowhere', 'is not a directory'],
    ['npm:./nowhere', 'is not a name of an npm package'],
    ['npm:owner/name', 'is not a name of an npm package'],
    ['npm:x@https://evil.example', 'is not a name of an npm package'],
    ['nowhere.tgz', 'does not exist'],
    ['a\u001b[2Jb', 'control characters'],
    ['x'.repeat(3_000), 'too long'],
  ])('refuses %j in words, with what to do', async (text, message) => {
    const refused = await parse(text).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'KIT_USAGE',
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/./),
    });
    expect(String(refused)).not.toContain('secret');
  });
});
