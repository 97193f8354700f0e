import { expect, it } from 'vitest';
import { createReviewApp } from '../../../src/app/review/create-review-app.js';
import type { ReviewDeps } from '../../../src/app/review/deps.js';
import { LOCAL_AUTH } from '../../../src/domain/gates.js';
import type { PrunedRun } from '../../../src/domain/ports/retention.js';
import { openSqliteWorld } from '../../support/store-world.js';

const RUN = '0a1b2c3d4e5f';
const PRUNED: PrunedRun = {
  ...{ jobId: RUN, topology: 'release', status: 'completed', endedAt: '2026-01-01T00:00:00.000Z' },
  ...{ prunedAt: '2026-11-29T00:00:00.000Z', eventCount: 7, lastSeq: 7, lastHash: 'abc', digest: 'def' },
};
const LEFT = `any more: run ${RUN} was pruned on ${PRUNED.prunedAt}: release, completed on ${PRUNED.endedAt}, 7 events`;

/** Nothing is there, and of one run it is known why. */
async function emptied() {
  const world = await openSqliteWorld();
  const retention = { pruned: async (id: string) => (id === RUN ? PRUNED : null) };
  const stores = { ...world.stores, retention };
  // What a look at something unknown asks for, and no more.
  const deps = { openStores: async () => stores, isSwept: () => true, readRoles: async () => ({ roles: [] }) };
  return { app: createReviewApp(deps as unknown as ReviewDeps), dispose: () => world.dispose() };
}

it('an old link to a gate or an item of a run that was pruned is told so', async () => {
  const { app, dispose } = await emptied();
  const gate = `${RUN}:writer`;
  const item = `mpa-${gate}-0-qa`;
  const looks = {
    gate: () => app.gate({ workspace: '/w', gate, author: null }),
    show: () => app.show({ workspace: '/w', item }),
    inboxItem: () => app.inboxItem({ workspace: '/w', item, identity: 'ada', auth: LOCAL_AUTH }),
  };
  for (const [name, look] of Object.entries(looks)) {
    await expect(look(), name).rejects.toMatchObject({
      code: name === 'gate' ? 'KIT_GATE_UNKNOWN' : 'KIT_ITEM_UNKNOWN',
      message: expect.stringContaining(LEFT),
      hint: expect.stringContaining('kit verify'),
    });
  }
  await dispose();
});

it('what never was is told as ever', async () => {
  const { app, dispose } = await emptied();
  const gate = '0a1b2c3d4e50:writer';
  await expect(app.gate({ workspace: '/w', gate, author: null })).rejects.toMatchObject({
    message: `there is no gate ${gate}`,
  });
  await dispose();
});
