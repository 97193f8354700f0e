import { afterAll, beforeAll, test } from 'vitest';
import { type EagerModel, startEagerModel } from '../../support/scene/eager-model.js';
import { CODED_PROOFS, PROVIDER_PROOFS } from './proofs/provider-proofs.js';
import { CODED_PROVIDERS, PROVIDERS, putImage } from './proofs/provider-scene.js';
import { proveByRun } from './proofs/run-proofs.js';

let model: EagerModel;
beforeAll(async () => {
  model = await startEagerModel();
});
afterAll(() => model.close());

test.concurrent.for(PROVIDER_PROOFS)('$key changes what a model is asked', (proof) =>
  proveByRun(proof, { base: PROVIDERS, prepare: putImage, model }),
);

test.concurrent.for(CODED_PROOFS)('$key of an entry changes what a model is asked', (proof) =>
  proveByRun(proof, { base: CODED_PROVIDERS, model }),
);
