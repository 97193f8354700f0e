import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createSessionWork } from '../../../src/app/runs/session-work.js';
import type { JobNeeds } from '../../../src/domain/job-needs.js';
import type { Stores } from '../../../src/domain/ports/stores.js';
import { createClock } from '../../../src/system/clock.js';
import { createIds } from '../../../src/system/ids.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { openSceneApp } from '../../support/scene/scene-app.js';
import { SILENT } from '../../support/store-world.js';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const PLAIN: JobNeeds = { plugins: {}, adapters: {} };
const WITH_WORKTREE: JobNeeds = { ...PLAIN, worktrees: { a1b2: 'here:/worktrees' } };

/** What a claim offers to runs of these needs, and how often it looked for what. */
async function claimed(needs: readonly JobNeeds[]) {
  const directory = await mkdtemp(join(tmpdir(), 'kit-claim-'));
  await writeFile(
    join(directory, 'workspace.yaml'),
    'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\n',
  );
  const app = openSceneApp(directory, { env: { HOME: directory } });
  closing.push(async () => {
    await app.close();
    await rm(directory, { recursive: true, force: true });
  });
  const host = readWorkerHost();
  const work = createSessionWork({
    ...{ clock: createClock(), ids: createIds(host), host, log: SILENT, leaseMs: 60_000 },
    defer: (fn) => void setImmediate(fn),
  });
  const looks = { store: 0, worktrees: 0 };
  const session = {
    ...(await app.session()),
    worktreesHere: async () => {
      looks.worktrees += 1;
      return ['a1b2'];
    },
  };
  const waitingNeeds = async () => {
    looks.store += 1;
    return needs;
  };
  const stores = { serving: { waitingNeeds } as Partial<Stores['serving']> as Stores['serving'] };
  const claim = work.queueClaim(session, { workerId: 'worker', jobClass: 'any' });
  return { looks, offers: await claim.offersFor(needs), all: await work.approvedOffers(session, stores) };
}

it.each([[[]], [[PLAIN]]])('looks into no directory while no run waits with a worktree', async (needs) => {
  const { looks, offers, all } = await claimed(needs);

  expect(offers.worktrees).toEqual([]);
  // Whoever only tells what is here looks.
  expect(all.worktrees).toEqual(['a1b2']);
  expect(looks).toEqual({ store: 1, worktrees: 1 });
});

it('offers the worktrees that are here to a run that waits with one', async () => {
  const { offers } = await claimed([PLAIN, WITH_WORKTREE]);

  expect(offers.worktrees).toEqual(['a1b2']);
});
