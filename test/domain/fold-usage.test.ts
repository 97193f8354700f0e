import { expect, it } from 'vitest';
import { foldUsage } from '../../src/domain/fold-usage.js';
import type { StepRow } from '../../src/domain/journal.js';

const NOTHING = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0 };
const row = (key: string, costUsd: number | null, more: Partial<StepRow> = {}): StepRow =>
  ({
    ...{ key, kind: 'harness', notes: {}, outcome: { status: 'ok', value: {} } },
    usage: costUsd === null ? null : { ...NOTHING, inputTokens: 3, costUsd },
    ...more,
  }) as unknown as StepRow;

it('knows no cost while a session waits for a person, and the whole once it has gone on', () => {
  const waiting = [row('root/d0/t0', 0.5, { kind: 'model' }), row('root/d0/t0/c0:coder/d0/s0', null)];
  expect(foldUsage(waiting)).toEqual({ ...NOTHING, inputTokens: 3, costUsd: null });
  expect(foldUsage([...waiting, row('root/d0/t0/c0:coder/d0/s1', 0.25)]).costUsd).toBe(0.75);
});

it('counts nothing for what used nothing: calls of tools, sessions under way or never begun', () => {
  const rows = [
    row('root/d0/t0/c0', null, { kind: 'tool' }),
    row('root/d0/t0/c1:a/d0/x', null, { outcome: null }),
    row('root/d0/t0/c2:b/d0/x', null, { outcome: { status: 'failed', reason: 'x', message: '' } }),
  ];
  expect(foldUsage(rows)).toEqual(NOTHING);
});
