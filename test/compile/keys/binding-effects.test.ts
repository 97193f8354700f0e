import { afterAll, beforeAll, test } from 'vitest';
import { type EagerModel, startEagerModel } from '../../support/scene/eager-model.js';
import { BINDING_PROOFS, BINDINGS } from './proofs/binding-proofs.js';
import { proveByRun } from './proofs/run-proofs.js';

let model: EagerModel;
beforeAll(async () => {
  model = await startEagerModel();
});
afterAll(() => model.close());

test.concurrent.for(BINDING_PROOFS)('$key changes what a run decides', (proof) =>
  proveByRun(proof, { base: BINDINGS, model }),
);
