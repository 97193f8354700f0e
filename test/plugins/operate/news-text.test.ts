import { expect, it } from 'vitest';
import { newsLine, newsValue } from '../../../plugins/operate/src/worker/news-text.js';
import type { Job } from '../../../src/domain/job.js';

it('a worker tells a run that it lost to another apart from one that the store refused something of', () => {
  const job = { id: '0123456789ab' } as Job; // nothing else of it is said

  expect(newsLine({ kind: 'lost', job, why: null })).toBe(
    'lost the lease of 0123456789ab, another process goes on with it',
  );
  const refused = { kind: 'lost', job, why: 'row is\ntoo big' } as const;
  expect(newsLine(refused)).toBe('gave 0123456789ab up for now, it is tried again: row is too big');
  expect(newsValue(refused)).toEqual({ type: 'lost', job_id: '0123456789ab', error: 'row is\ntoo big' });
});
