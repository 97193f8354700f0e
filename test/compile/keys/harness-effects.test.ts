import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, test, vi } from 'vitest';
import { type EagerModel, startEagerModel } from '../../support/scene/eager-model.js';
import { HARNESS_PROOFS } from './proofs/harness-proofs.js';
import { HARNESS, makeToolRepository, type ToolRepository } from './proofs/harness-scene.js';
import { proveByRun } from './proofs/run-proofs.js';

let model: EagerModel;
let repository: ToolRepository;
let temp: string;
beforeAll(async () => {
  // What a run whose process died leaves behind goes with the folder.
  temp = await mkdtemp(join(tmpdir(), 'kit-effects-'));
  vi.stubEnv('TMPDIR', temp);
  [model, repository] = await Promise.all([startEagerModel(), makeToolRepository()]);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([model.close(), repository.remove()]);
  await rm(temp, { recursive: true, force: true });
});

test.concurrent.for(HARNESS_PROOFS)('$key changes what a harness run does', (proof) =>
  proveByRun(proof, { base: HARNESS, prepare: (directory) => repository.copyTo(directory), model }),
);
