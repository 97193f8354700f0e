import { describe, expect, it } from 'vitest';
import type { StepKind, StepOutcome, StepRow } from '../../src/domain/journal.js';
import { retriedRows } from '../../src/worker/retried-rows.js';
import { stepOf } from '../support/store-samples.js';

const OK: StepOutcome = { status: 'ok', value: 1 };
const FAILED: StepOutcome = { status: 'failed', reason: 'provider.network', message: 'away' };
const row = (key: string, kind: StepKind, outcome: StepOutcome | null, over: Partial<StepRow> = {}): StepRow =>
  stepOf('a'.repeat(12), key, { kind, outcome, ...over });
const keysOf = (rows: readonly StepRow[]): readonly string[] =>
  retriedRows(rows, 'b'.repeat(12)).rows.map(({ key }) => key);

describe('the beginning of a retry', () => {
  it('is what was finished, without the step that failed and what encloses it', () => {
    expect(
      keysOf([
        row('root', 'activation', FAILED),
        row('root/t0', 'model', OK),
        row('root/t0/c0:one', 'activation', OK),
        row('root/t0/c0:one/t0', 'model', OK),
        row('root/t0/c1:two', 'activation', FAILED),
        row('root/t0/c1:two/t0', 'model', OK),
        row('root/t0/c1:two/t0/c0:note', 'tool', OK),
        row('root/t0/c1:two/t1', 'model', FAILED),
      ]),
    ).toEqual(['root/t0', 'root/t0/c0:one', 'root/t0/c0:one/t0', 'root/t0/c1:two/t0', 'root/t0/c1:two/t0/c0:note']);
  });

  it('keeps a failure that the agent was told of and went on from', () => {
    expect(
      keysOf([
        row('root', 'activation', FAILED),
        row('root/t0', 'model', OK),
        row('root/t0/c0:note', 'tool', { status: 'failed', reason: 'exit_code', message: 'no' }),
        row('root/t0/c1:one', 'activation', { status: 'failed', reason: 'denied', message: 'no' }),
        row('root/t1', 'model', FAILED),
      ]),
    ).toEqual(['root/t0', 'root/t0/c0:note', 'root/t0/c1:one']);
  });

  it('keeps finished branches beside the one that failed, and none that was cut off', () => {
    expect(
      keysOf([
        row('root', 'activation', FAILED),
        row('root/t0', 'model', OK),
        row('root/t0/c0:one', 'activation', FAILED),
        row('root/t0/c1:two', 'activation', null),
        row('root/t0/c0:one/t0', 'model', FAILED),
        row('root/t0/c1:two/t0', 'model', OK),
        row('root/t0/c1:two/t1', 'model', null),
      ]),
    ).toEqual(['root/t0', 'root/t0/c1:two/t0']);
  });

  it('asks people anew, and opens whatever holds their gate', () => {
    const { rows, gates } = retriedRows(
      [
        row('root', 'activation', FAILED),
        row('root/t0', 'model', OK),
        row('root/t0/c0:one', 'activation', OK),
        row('root/t0/c0:one/t0', 'model', OK),
        row('root/t0/c0:one/g0', 'gate', OK),
        row('root/t1', 'model', FAILED),
      ],
      'b'.repeat(12),
    );

    expect(rows.map(({ key }) => key)).toEqual(['root/t0', 'root/t0/c0:one/t0']);
    expect(gates).toEqual(['root/t0/c0:one/g0']);
  });

  it.each([
    ['nobody knows its end', null],
    ['its doubt failed the run', { status: 'failed', reason: 'in_doubt', message: 'sent?' }],
  ] as const)('a call with effects is in doubt and asked about: %s', (_, outcome) => {
    const { rows } = retriedRows(
      [
        row('root', 'activation', FAILED),
        row('root/t0', 'model', OK),
        row('root/t0/c0:pay', 'tool', outcome, { effects: 'write', onInDoubt: 'fail' }),
        row('root/t0/c1:look', 'tool', null, { effects: 'read' }),
      ],
      'b'.repeat(12),
    );

    expect(rows.map(({ key }) => key)).toEqual(['root/t0', 'root/t0/c0:pay']);
    expect(rows[1]).toMatchObject({ outcome: null, onInDoubt: 'ask', jobId: 'b'.repeat(12) });
  });

  it('keeps a doubt that the agent was told of and went on from as the failure that it was', () => {
    const reported = { status: 'failed', reason: 'in_doubt', message: 'sent?' } as const;
    const { rows } = retriedRows(
      [
        row('root', 'activation', FAILED),
        row('root/t0', 'model', OK),
        row('root/t0/c0:pay', 'tool', reported, { effects: 'write', onInDoubt: 'fail' }),
        row('root/t1', 'model', FAILED),
      ],
      'b'.repeat(12),
    );

    expect(rows).toMatchObject([{ key: 'root/t0' }, { key: 'root/t0/c0:pay', outcome: reported, onInDoubt: 'fail' }]);
  });

  it('names results that were removed, and ends before the first of them', () => {
    const pruned = { prunedAt: '2026-01-03T00:00:00.000Z' };
    const { rows, pruned: keys } = retriedRows(
      [
        row('root', 'activation', FAILED),
        row('root/t0', 'model', OK),
        row('root/t0/c0:one', 'activation', OK),
        row('root/t0/c0:one/t0', 'model', OK, pruned),
        row('root/t0/c1:note', 'tool', OK, pruned),
        row('root/t1', 'model', OK),
        row('root/t2', 'model', FAILED),
      ],
      'b'.repeat(12),
    );

    expect(keys).toEqual(['root/t0/c1:note']);
    expect(rows.map(({ key }) => key)).toEqual(['root/t0', 'root/t0/c0:one']);
  });

  it('says of each row which run carried it out, also when a retry is retried', () => {
    const first = retriedRows([row('root', 'activation', FAILED), row('root/t0', 'model', OK)], 'b'.repeat(12)).rows;
    const second = retriedRows([row('root', 'activation', FAILED), ...first], 'c'.repeat(12)).rows;

    expect(second).toMatchObject([{ jobId: 'c'.repeat(12), notes: { taken_from: 'a'.repeat(12) } }]);
  });
});
