import { expect, it } from 'vitest';
import { withdrawnText } from '../../src/view/lines/withdrawn-text.js';

const run = { id: '4f2a00000000', error: 'b: the model does not answer' } as const;

it('says why nobody can decide an item that nobody has decided', () => {
  const item = { status: 'pending', withdrawn: true } as const;

  expect(withdrawnText(item, { ...run, status: 'failed' })).toBe(
    'withdrawn before anybody decided it: run 4f2a00000000 failed (b: the model does not answer); kit retry 4f2a00000000 asks it anew',
  );
  expect(withdrawnText(item, { ...run, status: 'completed' })).toContain('run 4f2a00000000 is completed');
  expect(withdrawnText({ ...item, withdrawn: false }, { ...run, status: 'deferred' })).toBeNull();
  expect(withdrawnText({ status: 'approved', withdrawn: true }, { ...run, status: 'failed' })).toBeNull();
});
