import { expect, it } from 'vitest';
import { changeLine, changeValue } from '../../../plugins/operate/src/worker/change-text.js';
import type { Job } from '../../../src/domain/job.js';

it('a worker tells a run that it lost to another apart from one that the store refused something of', () => {
  const job = { id: '0123456789ab' } as Job; // nothing else of it is said

  expect(changeLine({ kind: 'lost', job, why: null })).toBe(
    'lost the lease of 0123456789ab, another process goes on with it',
  );
  const refused = { kind: 'lost', job, why: 'row is\ntoo big' } as const;
  expect(changeLine(refused)).toBe('gave 0123456789ab up for now, it is tried again: row is too big');
  expect(changeValue(refused)).toEqual({ type: 'lost', job_id: '0123456789ab', error: 'row is\ntoo big' });
});
