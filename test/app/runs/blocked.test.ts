import { afterEach, beforeEach, expect, it } from 'vitest';
import { listCheckpoints } from '../../../src/app/list-checkpoints.js';
import { type Claimant, thisKit } from '../../../src/app/runs/blocked-by.js';
import { resumeRun } from '../../../src/app/runs/resume-run.js';
import { KitError } from '../../../src/domain/errors.js';
import type { JobNeeds, JobOffers } from '../../../src/domain/job-needs.js';
import { ENGINE } from '../../../src/domain/journal.js';
import { claimOf, newJob, startedEvent, stopEvent } from '../../support/store-samples.js';
import { createManualClock, openSqliteWorld, type SqliteWorld } from '../../support/store-world.js';

const NEEDS: JobNeeds = { plugins: { 'acme-runner': '^1.2.0' }, adapters: { coder: 'a'.repeat(64) } };
const ENOUGH: JobOffers = { plugins: { 'acme-runner': '1.2.0' }, adapters: { coder: 'a'.repeat(64) } };

let world: SqliteWorld;
beforeEach(async () => {
  world = await openSqliteWorld();
});
afterEach(() => world.dispose());

async function stopped(over: Parameters<typeof newJob>[1] = {}): Promise<string> {
  const { stores, ids } = world;
  const id = ids.jobId();
  await stores.jobs.insert(newJob(id, over), 'pending', [startedEvent(ids.uuid())]);
  await stores.jobs.requestStop(id, 'ada', stopEvent(ids.uuid()));
  return id;
}

const checkpoints = async (offers: () => Promise<JobOffers>) => {
  const found = await listCheckpoints(world.stores, { limit: 10, offers, claimants: async () => [] });
  return new Map(found.map(({ job, blocked }) => [job.id, blocked]));
};

function resume(job: string, offers: JobOffers, discardWorktrees?: () => Promise<never>) {
  const { jobId: _jobId, ...claim } = claimOf({ offers });
  return resumeRun(
    {
      stores: world.stores,
      ids: world.ids,
      clock: createManualClock(),
      host: claim.host,
      claimFor: async () => claim,
      assertApproved: async () => undefined,
      ...(discardWorktrees === undefined ? {} : { discardWorktrees }),
    },
    { job, topology: null, by: 'ada', anew: discardWorktrees !== undefined },
  );
}

it('says of each run that can go on what is missing for it here', async () => {
  const [plain, needy, old] = [await stopped(), await stopped({ needs: NEEDS }), await stopped({ engine: ENGINE + 1 })];

  const seen = await checkpoints(async () => ({ plugins: { 'acme-runner': '1.0.0' }, adapters: {} }));

  expect(seen.get(plain)).toBeNull();
  expect(seen.get(needy)).toMatch(
    /plugin acme-runner \^1\.2\.0 is needed, and 1\.0\.0 is installed; the adapter coder with the digest aaaaaaaaaaaa is not there, or nobody approved it here/,
  );
  expect(seen.get(old)).toMatch(new RegExp(`engine ${ENGINE + 1}`));
  expect((await checkpoints(async () => ENOUGH)).get(needy)).toBeNull();
});

it('does not read the workspace for runs that need nothing of it', async () => {
  const plain = await stopped();

  const seen = await checkpoints(() => expect.fail('the workspace was read'));

  expect(seen.get(plain)).toBeNull();
});

it('lists the runs of a broken workspace, and says that it is what blocks those that need something of it', async () => {
  const [plain, needy] = [await stopped(), await stopped({ needs: NEEDS })];

  const seen = await checkpoints(() => Promise.reject(new KitError('KIT_WORKSPACE_INVALID', 'two problems')));

  expect(seen.get(plain)).toBeNull();
  expect(seen.get(needy)).toContain('KIT_WORKSPACE_INVALID');
});

it('refuses to resume a run that lacks something here and names it; the run stays as it was', async () => {
  const id = await stopped({ needs: NEEDS });

  await expect(resume(id, { ...ENOUGH, plugins: {} })).rejects.toMatchObject({
    code: 'KIT_JOB_NOT_RESUMABLE',
    message: expect.stringContaining('the plugin acme-runner ^1.2.0 is not installed'),
    data: { missing: ['the plugin acme-runner ^1.2.0 is not installed'] },
  });

  expect(await world.stores.jobs.get(id)).toMatchObject({ status: 'stopped', attempt: 0 });
  expect(await resume(id, ENOUGH)).toMatchObject({ id, status: 'running' });
});

it('leaves a replay to the process that has its cassette: nobody goes on with it in earnest', async () => {
  const cassette = 'c'.repeat(64);
  const id = await stopped({ needs: { plugins: {}, adapters: {}, cassette } });

  expect((await checkpoints(async () => ENOUGH)).get(id)).toContain('replays the cassette cccccccccccc');
  await expect(resume(id, ENOUGH)).rejects.toMatchObject({ code: 'KIT_JOB_NOT_RESUMABLE' });
  expect(await world.stores.jobs.get(id)).toMatchObject({ status: 'stopped', needs: { cassette } });
  expect(await resume(id, { ...ENOUGH, cassette })).toMatchObject({ id, status: 'running' });
});

it('says what no live process has that the run needs, whatever this one has, and nothing where none is alive', async () => {
  const needy = await stopped({ needs: NEEDS, jobClass: 'harness' });
  const here = thisKit(ENOUGH);
  const seenBy = async (claimants: readonly Claimant[]) =>
    (
      await listCheckpoints(world.stores, { limit: 10, offers: async () => ENOUGH, claimants: async () => claimants })
    ).find(({ job }) => job.id === needy);

  expect(await seenBy([])).toMatchObject({ blocked: null, blockedInFleet: null });
  expect(await seenBy([{ ...here, jobClass: 'model' }, here])).toMatchObject({ blocked: null, blockedInFleet: null });
  expect(await seenBy([{ ...here, jobClass: 'model' }])).toMatchObject({
    blocked: null,
    blockedInFleet: 'it is of the class harness, and only the class model is claimed',
  });
});

it('lets go of a run whose worktrees cannot be removed, so that anybody can try again', async () => {
  const job = await stopped();

  await expect(resume(job, ENOUGH, () => Promise.reject(new Error('busy')))).rejects.toThrow('busy');

  expect(await world.stores.jobs.get(job)).toMatchObject({ status: 'pending', workerId: null });
});
