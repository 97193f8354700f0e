import { afterAll, beforeAll, test } from 'vitest';
import { type EagerModel, startEagerModel } from '../../support/scene/eager-model.js';
import { COMMANDS, putSecret } from './proofs/command-scene.js';
import { COMPRESSION_PROOFS } from './proofs/compression-proofs.js';
import { proveByRun } from './proofs/run-proofs.js';

let model: EagerModel;
beforeAll(async () => {
  model = await startEagerModel();
});
afterAll(() => model.close());

test.concurrent.for(COMPRESSION_PROOFS)('$key changes what a model is shown', (proof) =>
  proveByRun(proof, { base: COMMANDS, prepare: putSecret, model }),
);
