import { afterAll, beforeAll, test } from 'vitest';
import { type EagerModel, startEagerModel } from '../../support/scene/eager-model.js';
import { proveByRun } from './proofs/run-proofs.js';
import { TOOL_PROOFS } from './proofs/tool-proofs.js';
import { TOOLS } from './proofs/tool-scene.js';

let model: EagerModel;
beforeAll(async () => {
  model = await startEagerModel();
});
afterAll(() => model.close());

test.concurrent.for(TOOL_PROOFS)('$key changes what a tool of a server does', (proof) => proveByRun(proof, { base: TOOLS, model }));
