import { expect, it } from 'vitest';
import type { RunWrite, StepRow } from '../../src/domain/journal.js';
import { JournalSession } from '../../src/engine/journal-session.js';

it('a session that is left sends what was recorded, takes nothing after it, and calls that no failure', async () => {
  const sent: RunWrite[] = [];
  const broken: unknown[] = [];
  const session = new JournalSession({
    rows: [],
    commit: async (writes) => sent.push(...writes),
    onBroken: (error) => broken.push(error),
    defer: () => undefined,
  });
  const start = (key: string): Extract<RunWrite, { op: 'step.started' }> =>
    // Only the key of a row is read here.
    ({ op: 'step.started', row: { key } as StepRow }) as Extract<RunWrite, { op: 'step.started' }>;

  session.start(start('before'));
  session.leave();
  session.start(start('after'));

  await expect(session.flush()).rejects.toThrow();
  expect(sent.map((write) => write.op === 'step.started' && write.row.key)).toEqual(['before']);
  expect(broken).toEqual([]);
});
