import { afterAll, beforeAll, test } from 'vitest';
import { type EagerModel, startEagerModel } from '../../support/scene/eager-model.js';
import { HARNESS_PROOFS } from './proofs/harness-proofs.js';
import { HARNESS, makeToolRepository, type ToolRepository } from './proofs/harness-scene.js';
import { proveByRun } from './proofs/run-proofs.js';

let model: EagerModel;
let repository: ToolRepository;
beforeAll(async () => {
  [model, repository] = await Promise.all([startEagerModel(), makeToolRepository()]);
});
afterAll(async () => {
  await Promise.all([model.close(), repository.remove()]);
});

test.concurrent.for(HARNESS_PROOFS)('$key changes what a harness run does', (proof) =>
  proveByRun(proof, { base: HARNESS, prepare: (directory) => repository.copyTo(directory), model }),
);
