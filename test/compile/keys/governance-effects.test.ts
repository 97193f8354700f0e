import { afterAll, beforeAll, test } from 'vitest';
import { type EagerModel, startEagerModel } from '../../support/scene/eager-model.js';
import { GOVERNANCE_PROOFS, GOVERNED } from './proofs/governance-proofs.js';
import { proveByRun } from './proofs/run-proofs.js';

let model: EagerModel;
beforeAll(async () => {
  model = await startEagerModel();
});
afterAll(() => model.close());

test.concurrent.for(GOVERNANCE_PROOFS)('$key changes what a governed run does', (proof) =>
  proveByRun(proof, { base: GOVERNED, model }),
);
