import { afterAll, beforeAll, test } from 'vitest';
import { type EagerModel, startEagerModel } from '../../support/scene/eager-model.js';
import { COMMAND_PROOFS } from './proofs/command-proofs.js';
import { COMMANDS, putSecret } from './proofs/command-scene.js';
import { proveByRun } from './proofs/run-proofs.js';

let model: EagerModel;
beforeAll(async () => {
  model = await startEagerModel();
});
afterAll(() => model.close());

test.concurrent.for(COMMAND_PROOFS)('$key changes what a command does', (proof) =>
  proveByRun(proof, { base: COMMANDS, prepare: putSecret, model }),
);
