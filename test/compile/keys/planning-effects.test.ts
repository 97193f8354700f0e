import { afterAll, beforeAll, test } from 'vitest';
import { type EagerModel, startEagerModel } from '../../support/scene/eager-model.js';
import { PLANNING_PROOFS, PLANS } from './proofs/planning-proofs.js';
import { proveByRun } from './proofs/run-proofs.js';

let model: EagerModel;
beforeAll(async () => {
  model = await startEagerModel();
});
afterAll(() => model.close());

test.concurrent.for(PLANNING_PROOFS)('$key changes how a run plans', (proof) =>
  proveByRun(proof, { base: PLANS, model }),
);
