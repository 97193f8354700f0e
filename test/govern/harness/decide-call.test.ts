import { describe, expect, it } from 'vitest';
import { type CallFacts, fitsGlob, fitsWildcard, type HarnessPermission } from '../../../src/domain/harness-call.js';
import { decideCall } from '../../../src/govern/harness/decide-call.js';

const entry = (text: string): HarnessPermission => {
  const [answer, kind, ...rest] = text.split(' ');
  return { kind, answer, match: rest.length === 0 ? null : rest.join(' ') } as HarnessPermission;
};
const command = (subject: string): CallFacts => ({ kind: 'execute', subject, place: null });
const file = (kind: 'read' | 'edit', subject: string, place: CallFacts['place'] = 'inside'): CallFacts => ({
  kind,
  subject,
  place,
});
const decide = (call: CallFacts, ...entries: readonly string[]) => decideCall(entries.map(entry), call).answer;

describe('without an entry', () => {
  it.each([
    ['allow', file('read', 'a.ts')],
    ['allow', file('edit', 'a.ts')],
    ['allow', file('read', '.claude/settings.json', 'control')],
    ['ask', file('edit', '.claude/settings.json', 'control')],
    ['ask', file('read', '/etc/passwd', 'outside')],
    ['ask', file('edit', '/etc/passwd', 'outside')],
    ['ask', command('ls')],
    ['ask', { kind: 'network', subject: 'https://example.com', place: null }],
    ['ask', { kind: 'mcp', subject: 'notes/add', place: null }],
    ['ask', { kind: 'unknown', subject: 'Frobnicate', place: null }],
    ['allow', { kind: 'inner', subject: '', place: null }],
  ] as const)('%s: %o', (answer, call) => {
    expect(decide(call)).toBe(answer);
  });
});

describe('with entries', () => {
  it('lets a denial come before a question, and that before a yes, in whatever order they stand', () => {
    const all = ['allow execute git *', 'ask execute git push *', 'deny execute git push --force*'];
    for (const entries of [all, all.toReversed()]) {
      expect(decide(command('git status'), ...entries)).toBe('allow');
      expect(decide(command('git push origin'), ...entries)).toBe('ask');
      expect(decide(command('git push --force origin'), ...entries)).toBe('deny');
    }
  });

  it('is about the whole command', () => {
    expect(decide(command('npm test'), 'allow execute npm test')).toBe('allow');
    expect(decide(command('npm test -- --watch'), 'allow execute npm test')).toBe('ask');
    expect(decide(command('sudo npm test'), 'allow execute npm test')).toBe('ask');
  });

  it.each(['a; b', 'a && b', 'a | b', 'a > b', 'a < b', 'a $(b)', 'a `b`', 'a\nb', 'a & b'])(
    'never allows the command %j, and still denies it',
    (text) => {
      expect(decide(command(text), 'allow execute', 'allow execute *')).toBe('ask');
      expect(decide(command(text), 'deny execute a*')).toBe('deny');
    },
  );

  it('allows nothing outside the worktree that it does not name in full, and no file that the program obeys', () => {
    expect(decide(file('edit', '/tmp/x', 'outside'), 'allow edit', 'allow edit **')).toBe('ask');
    expect(decide(file('edit', '/tmp/x', 'outside'), 'allow edit /tmp/**')).toBe('allow');
    expect(decide(file('edit', '.mcp.json', 'control'), 'allow edit', 'allow edit .mcp.json')).toBe('ask');
  });

  it('takes globs of paths and tools of servers', () => {
    expect(decide(file('edit', 'docs/a/b.md'), 'deny edit docs/**')).toBe('deny');
    expect(decide(file('edit', 'src/docs/b.md'), 'deny edit docs/**')).toBe('allow');
    expect(decide({ kind: 'mcp', subject: 'notes/add', place: null }, 'allow mcp notes/*')).toBe('allow');
    expect(decide({ kind: 'mcp', subject: 'other/add', place: null }, 'allow mcp notes/*')).toBe('ask');
  });
});

it('fits stars in time that grows with the product of both lengths', () => {
  expect(fitsWildcard('*a*a*a*a*b', 'a'.repeat(2000))).toBe(false);
  expect(fitsWildcard('a*c', 'abc')).toBe(true);
  expect(fitsGlob('**/x', 'a/b/x')).toBe(true);
  expect(fitsGlob('*/x', 'a/b/x')).toBe(false);
  expect(fitsGlob(`${'**/a/'.repeat(20)}b`, `${'a/'.repeat(1000)}c`)).toBe(false);
});
