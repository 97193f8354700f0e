import { afterAll, beforeAll, test } from 'vitest';
import { type EagerModel, startEagerModel } from '../../support/scene/eager-model.js';
import { KNOWLEDGE_PROOFS, putDocuments, SEARCHING } from './proofs/knowledge-proofs.js';
import { proveByRun } from './proofs/run-proofs.js';

let model: EagerModel;
beforeAll(async () => {
  model = await startEagerModel();
});
afterAll(() => model.close());

test.concurrent.for(KNOWLEDGE_PROOFS)('$key changes what an agent finds', (proof) =>
  proveByRun(proof, { base: SEARCHING, prepare: putDocuments, model }),
);
