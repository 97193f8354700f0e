import { afterAll, beforeAll, test } from 'vitest';
import { type EagerModel, startEagerModel } from '../../support/scene/eager-model.js';
import { CHILD_PROOFS, CHILDREN } from './proofs/child-proofs.js';
import { proveByRun } from './proofs/run-proofs.js';

let model: EagerModel;
beforeAll(async () => {
  model = await startEagerModel();
});
afterAll(() => model.close());

test.concurrent.for(CHILD_PROOFS)('$key changes what a run does', (proof) =>
  proveByRun(proof, { base: CHILDREN, model }),
);
