import { expect, it } from 'vitest';
import { withdrawnText } from '../../src/view/lines/withdrawn-text.js';

const run = {
  id: '4f2a00000000',
  error: 'b: the model does not answer',
  reason: 'model_unavailable',
  needs: { plugins: {}, adapters: {} },
  callerJobId: null,
} as const;
const item = { status: 'pending', withdrawn: true, round: 0, agentId: 'writer' } as const;

it('says why nobody can decide an item that nobody has decided', () => {
  expect(withdrawnText(item, { ...run, status: 'failed' }, [])).toBe(
    'withdrawn before anybody decided it: run 4f2a00000000 failed (b: the model does not answer); a retry asks it anew',
  );
  expect(withdrawnText(item, { ...run, status: 'completed' }, [])).toContain('run 4f2a00000000 is completed');
  expect(withdrawnText({ ...item, withdrawn: false }, { ...run, status: 'deferred' }, [])).toBeNull();
  expect(withdrawnText({ ...item, status: 'approved' }, { ...run, status: 'failed' }, [])).toBeNull();
});

it('offers no retry of a run that has none: one that was rejected', () => {
  const rejected = { ...run, status: 'failed', reason: 'gate_rejected', error: 'gate g rejected by ada: no' } as const;

  expect(withdrawnText(item, rejected, [])).toBe(
    'withdrawn before anybody decided it: run 4f2a00000000 failed (gate g rejected by ada: no)',
  );
});

it('names who asked for changes in the round of the item, and what goes on', () => {
  const said = [
    { round: 0, status: 'changes-requested', resolvedBy: 'ada' },
    { round: 1, status: 'changes-requested', resolvedBy: 'linus' },
  ] as const;

  expect(withdrawnText(item, { ...run, status: 'deferred' }, said)).toBe(
    'withdrawn: ada asked for changes; writer works on them, and the gate asks anew',
  );
  expect(withdrawnText({ ...item, round: 2 }, { ...run, status: 'deferred' }, said)).toContain('is deferred');
  expect(withdrawnText(item, { ...run, status: 'failed', reason: 'rework_exhausted' }, said)).toBe(
    'withdrawn: ada asked for changes; run 4f2a00000000 failed',
  );
});
