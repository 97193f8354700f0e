import { afterAll, beforeAll, test } from 'vitest';
import { type EagerModel, startEagerModel } from '../../support/scene/eager-model.js';
import { PROVIDER_PROOFS } from './proofs/provider-proofs.js';
import { PROVIDERS, putImage } from './proofs/provider-scene.js';
import { proveByRun } from './proofs/run-proofs.js';

let model: EagerModel;
beforeAll(async () => {
  model = await startEagerModel();
});
afterAll(() => model.close());

test.concurrent.for(PROVIDER_PROOFS)('$key changes what a model is asked', (proof) =>
  proveByRun(proof, { base: PROVIDERS, prepare: putImage, model }),
);
