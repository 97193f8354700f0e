import { expect, it } from 'vitest';
import { lastSessions } from '../../src/domain/fold-usage.js';
import type { StepRow } from '../../src/domain/journal.js';

const row = (key: string, diff: string): StepRow =>
  ({
    kind: 'harness',
    key,
    agentId: 'coder',
    outcome: { status: 'ok', value: { diff } },
    notes: {},
  }) as unknown as StepRow;

it('a session that waited for a permission and the one that went on are one, the last of its activation', () => {
  const rows = [row('root/d0/t0/c0:coder/d0/s0', 'so far'), row('root/d0/t0/c0:coder/d0/s1', 'all of it')];

  expect(lastSessions(rows).map(({ activation, diff }) => [activation, diff])).toEqual([
    ['root/d0/t0/c0:coder', 'all of it'],
  ]);
});

it('a later draft takes the place of an earlier one, asked or not; another activation is its own', () => {
  const rows = [row('root/c0:a/d0/x', '1'), row('root/c0:a/d1/s0', '2'), row('root/c1:a/d0/x', '3')];

  expect(lastSessions(rows).map(({ activation, diff }) => [activation, diff])).toEqual([
    ['root/c0:a', '2'],
    ['root/c1:a', '3'],
  ]);
});
