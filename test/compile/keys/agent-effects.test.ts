import { afterAll, beforeAll, test } from 'vitest';
import { type EagerModel, startEagerModel } from '../../support/scene/eager-model.js';
import { AGENT_PROOFS } from './proofs/agent-proofs.js';
import { AGENTS } from './proofs/agent-scene.js';
import { proveByRun } from './proofs/run-proofs.js';

let model: EagerModel;
beforeAll(async () => {
  model = await startEagerModel();
});
afterAll(() => model.close());

test.concurrent.for(AGENT_PROOFS)('$key changes what a run does', (proof) =>
  proveByRun(proof, { base: AGENTS, model }),
);
