import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, test, vi } from 'vitest';
import { writeFakeDocker } from '../../support/fake-docker.js';
import { type EagerModel, startEagerModel } from '../../support/scene/eager-model.js';
import { CONTAINER_PROOFS } from './proofs/container-proofs.js';
import { HARNESS, makeToolRepository, type ToolRepository } from './proofs/harness-scene.js';
import { proveByRun } from './proofs/run-proofs.js';

let model: EagerModel;
let repository: ToolRepository;
let temp: string;
beforeAll(async () => {
  temp = await mkdtemp(join(tmpdir(), 'kit-effects-'));
  vi.stubEnv('TMPDIR', temp);
  writeFakeDocker(temp);
  vi.stubEnv('PATH', `${temp}:${process.env.PATH ?? ''}`);
  [model, repository] = await Promise.all([startEagerModel(), makeToolRepository()]);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([model.close(), repository.remove()]);
  await rm(temp, { recursive: true, force: true });
});

// One after the other: each is three sessions with the processes of a runtime besides.
test.each(CONTAINER_PROOFS)('$key changes what the runtime of containers is told', { timeout: 120_000 }, (proof) =>
  proveByRun(proof, { base: HARNESS, prepare: (directory) => repository.copyTo(directory), model }),
);
