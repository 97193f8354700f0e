import { expect, test } from 'vitest';
import { showsEffect } from '../../support/shows-effect.js';
import { JOBS_PROOFS, SERVED } from './proofs/jobs-proofs.js';

test.each(JOBS_PROOFS)(
  '$key changes what a server does with jobs',
  { timeout: 120_000 },
  async ({ key, a, b, observe }) => {
    await expect(showsEffect(key, a, b, { base: SERVED, observe, entry: key })).resolves.toBeUndefined();
  },
);
