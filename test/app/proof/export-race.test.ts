import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportProof } from '../../../src/app/proof/export-proof.js';
import { LOCAL_AUTH } from '../../../src/domain/gates.js';
import type { Stores } from '../../../src/domain/ports/stores.js';
import { proofText } from '../../../src/govern/proof/seal.js';
import { verifyProof } from '../../../src/govern/proof/verify-proof.js';
import { overriding } from '../../engine/laws.js';
import { openReviewWorld, type ReviewWorld } from '../../support/review-world.js';
import { createManualClock } from '../../support/store-world.js';

let world: ReviewWorld;
beforeAll(async () => {
  world = await openReviewWorld();
});
afterAll(() => world.dispose());

it('a proof that is written while somebody decides holds the decision or none of it', async () => {
  const { job, gate } = await world.parked();
  const decide = (role: string, identity: string) =>
    world.app.resolve({
      workspace: '',
      item: `mpa-${gate.gateId}-0-${role}`,
      identity,
      auth: LOCAL_AUTH,
      outcome: 'approve',
      comment: '',
    });
  const { stores } = world.sqlite;
  let looked = 0;
  const between = overriding(stores, {
    events: overriding(stores.events, {
      readRun: async (...ask) => {
        looked += 1;
        if (looked === 1) await decide('qa', 'qa-1');
        return stores.events.readRun(...ask);
      },
    }),
  });

  const proof = await exportProof({ stores: between, clock: createManualClock(), sign: null }, gate.gateId);

  expect(proof.decisions.map(({ person }) => person)).toEqual(['qa-1']);
  expect(verifyProof(Buffer.from(proofText(proof)), { keys: [], misfit: () => null })).toMatchObject({
    kind: 'intact',
  });
  expect(job.id).toBe(proof.run.id);
});

it.each([
  ['events', (stores: Stores) => ({ events: overriding(stores.events, { readRun: async () => [] }) })],
  ['bytes', (stores: Stores) => ({ artifacts: overriding(stores.artifacts, { read: async () => null }) })],
])('a proof that is written while the run is removed is none, whatever of it is gone: %s', async (_what, without) => {
  const { job, gate } = await world.parked();
  const { stores } = world.sqlite;
  const pruned = async () => ({
    ...{ jobId: job.id, topology: job.topology, status: 'completed', lastSeq: 3, lastHash: 'ab', eventCount: 3 },
    ...{ endedAt: '2026-01-02T03:04:05.000Z', prunedAt: '2027-01-02T03:04:05.000Z', digest: 'cd' },
  });
  const meanwhile = overriding(stores, {
    ...without(stores),
    retention: overriding(stores.retention, { pruned }),
  });

  await expect(
    exportProof({ stores: meanwhile, clock: createManualClock(), sign: null }, gate.gateId),
  ).rejects.toMatchObject({ code: 'KIT_JOB_UNKNOWN', message: expect.stringContaining('was pruned on 2027') });
});
