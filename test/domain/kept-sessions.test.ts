import { expect, it } from 'vitest';
import type { StepRow } from '../../src/domain/journal.js';
import { keptSessions } from '../../src/domain/kept-sessions.js';

const row = (key: string, outcome: StepRow['outcome'], worktree = `/w/${key}`): StepRow => ({
  ...{ jobId: 'aaaaaaaaaaaa', key, kind: 'harness', identity: '', effects: 'write', onInDoubt: 'ask', attempt: 1 },
  ...{ stepId: key, outcome, usage: null, units: 1, agentId: 'coder', startedAt: '', endedAt: null },
  notes: { worktree, worktrees: 'id', worktrees_at: 'box:/w' },
});
const asked = { status: 'ok', value: { kind: 'asked' } } as const;
const done = { status: 'ok', value: { kind: 'done' } } as const;
const keysOf = (...rows: StepRow[]): readonly string[] => keptSessions(rows).map(({ key }) => key);

it('keeps the last launch of a draft that put itself down at a call', () => {
  expect(keysOf(row('root/d0/s0', asked), row('root/d0/s1', asked))).toEqual(['root/d0/s1']);
});

it('keeps one that died, and one of which nobody knows how it ended', () => {
  const lost = { status: 'failed', reason: 'in_doubt', message: '' } as const;
  expect(keysOf(row('a/d0/s0', null), row('b/d0/x', lost))).toEqual(['a/d0/s0', 'b/d0/x']);
});

it('keeps none that has answered, or whose activation is over', () => {
  expect(keysOf(row('a/d0/s0', asked), row('a/d0/s1', done))).toEqual([]);
  expect(keysOf(row('a/d0/s0', asked), row('a', done))).toEqual([]);
});

it('has nothing to say of a worktree among temporary files', () => {
  const { worktrees_at: _at, ...notes } = row('a/d0/s0', asked).notes;
  expect(keptSessions([{ ...row('a/d0/s0', asked), notes }])).toEqual([]);
});
