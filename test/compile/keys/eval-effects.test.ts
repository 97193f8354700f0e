import { test } from 'vitest';
import { isKitError } from '../../../src/domain/errors.js';
import { openSceneApp } from '../../support/scene/scene-app.js';
import { showsEffect } from '../../support/shows-effect.js';
import { EVAL_PROOFS, EVALS } from './proofs/eval-proofs.js';

/** What `kit eval` says of the set; without ids and times. */
async function observe(directory: string): Promise<unknown> {
  const app = openSceneApp(directory, {
    env: { PATH: process.env.PATH ?? '', HOME: directory, XDG_CONFIG_HOME: directory },
  });
  try {
    const outcomes = await app.evals.run({
      workspace: directory,
      set: null,
      concurrency: 1,
      submittedBy: { identity: 'tester', assurance: 'asserted' },
      trust: [],
      cassettes: null,
      compare: false,
    });
    return outcomes.flatMap(({ cases }) =>
      cases.map(({ id, passed, error, output, checks }) => ({ id, passed, error, output, checks })),
    );
  } catch (error) {
    if (!isKitError(error)) throw error;
    return { code: error.code, message: error.message };
  } finally {
    await app.close();
  }
}

test.each(EVAL_PROOFS)('$key changes a verdict', async ({ key, a, b, given }) => {
  await showsEffect(key, a, b, { base: EVALS, observe, ...(given === undefined ? {} : { given }) });
});
