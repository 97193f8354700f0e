import { expect, it } from 'vitest';
import type { JobNeeds, JobOffers } from '../../../src/domain/job-needs.js';
import { claimOf, newJob, resumedEvent, startedEvent, stopEvent } from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

const NEEDS: JobNeeds = {
  plugins: { 'acme-runner': '^1.2.0' },
  adapters: { coder: 'a'.repeat(64) },
  references: { 'variable:LOCAL_KEY': 'the provider local' },
};
const ENOUGH: JobOffers = {
  plugins: { 'acme-runner': '1.4.1', other: '3.0.0' },
  adapters: { coder: 'a'.repeat(64) },
  references: ['program:git', 'variable:LOCAL_KEY'],
};

export function needsLaws(world: World): void {
  const waiting = async (needs: JobNeeds, priority = 0): Promise<string> => {
    const { stores, ids } = world();
    const id = ids.jobId();
    await stores.jobs.insert(newJob(id, { needs, priority }), 'pending', [startedEvent(ids.uuid())]);
    return id;
  };
  const claimed = async (offers: JobOffers, limit = 10): Promise<readonly string[]> =>
    (await world().stores.jobs.claim(claimOf({ offers, limit }))).map((job) => job.id);

  it.each<[string, JobOffers]>([
    ['a plugin that is not there', { ...ENOUGH, plugins: {} }],
    ['an older plugin', { ...ENOUGH, plugins: { 'acme-runner': '1.1.9' } }],
    ['a plugin beyond the range', { ...ENOUGH, plugins: { 'acme-runner': '2.0.0' } }],
    ['a version that is not a version', { ...ENOUGH, plugins: { 'acme-runner': 'latest' } }],
    ['an adapter that is not there', { ...ENOUGH, adapters: {} }],
    ['a variable that is not set', { ...ENOUGH, references: ['program:git'] }],
    ['an adapter with another digest', { ...ENOUGH, adapters: { coder: 'b'.repeat(64) } }],
  ])('leaves a job that needs %s to others, unharmed', async (_, offers) => {
    const { stores } = world();
    const id = await waiting(NEEDS);

    expect(await claimed(offers)).toEqual([]);

    expect(await stores.jobs.get(id)).toMatchObject({ status: 'pending', attempt: 0, workerId: null, needs: NEEDS });
    expect(await claimed(ENOUGH)).toEqual([id]);
  });

  it('asks with each claim from the queue what is there of all that waits', async () => {
    const plain: JobNeeds = { plugins: {}, adapters: {} };
    const [first, second, third] = [await waiting(plain), await waiting(NEEDS), await waiting(plain)];
    const { offers: _, ...claim } = claimOf();
    const asked: (readonly JobNeeds[])[] = [];
    const next = async (offers: JobOffers): Promise<readonly string[]> => {
      const offersFor = async (needs: readonly JobNeeds[]): Promise<JobOffers> => {
        asked.push(needs);
        return offers;
      };
      return (await world().stores.jobs.claim({ ...claim, limit: 1, offersFor })).map((job) => job.id);
    };

    expect(await next({ plugins: {}, adapters: {} })).toEqual([first]);
    expect(asked).toEqual([expect.arrayContaining([plain, NEEDS])]);
    expect(asked[0]).toHaveLength(2);
    expect(await next(ENOUGH)).toEqual([second]);
    expect(await next({ plugins: { other: '1.0.0' }, adapters: {} })).toEqual([third]);
    expect(await next(ENOUGH)).toEqual([]);
    const later = await waiting(NEEDS);
    expect(await next({ plugins: {}, adapters: {} })).toEqual([]);
    expect(await next(ENOUGH)).toEqual([later]);
  });

  it('passes over a job of higher priority that it cannot run, and fills its batch behind it', async () => {
    const blocked = await waiting(NEEDS, 9);
    const plain = await waiting({ plugins: {}, adapters: {} });
    const other = await waiting({ plugins: {}, adapters: {} });

    expect(await claimed({ plugins: {}, adapters: {} }, 1)).toEqual([plain]);
    expect(await claimed({ plugins: {}, adapters: {} }, 2)).toEqual([other]);
    expect(await claimed(ENOUGH)).toEqual([blocked]);
  });

  it('does not take a name that every object has for a plugin or an adapter', async () => {
    await waiting({ plugins: { constructor: '*' }, adapters: {} });
    await waiting({ plugins: {}, adapters: { toString: 'c'.repeat(64) } });

    expect(await claimed({ plugins: {}, adapters: {} })).toEqual([]);
  });

  it('refuses to resume a job under a worker that lacks what it needs, and writes nothing', async () => {
    const { stores, ids } = world();
    const id = await waiting(NEEDS);
    await stores.jobs.requestStop(id, 'ada', stopEvent(ids.uuid()));
    const before = await stores.events.readRun(id, 0, 10);

    const resumed = stores.jobs.resume(
      id,
      resumedEvent(ids.uuid()),
      claimOf({ jobId: id, offers: { ...ENOUGH, adapters: {} } }),
    );

    await expect(resumed).rejects.toMatchObject({
      code: 'KIT_JOB_NOT_RESUMABLE',
      message: expect.stringContaining('adapter coder'),
    });
    expect(await stores.jobs.get(id)).toMatchObject({ status: 'stopped' });
    expect(await stores.events.readRun(id, 0, 10)).toEqual(before);
    expect(
      await stores.jobs.resume(id, resumedEvent(ids.uuid()), claimOf({ jobId: id, offers: ENOUGH })),
    ).toMatchObject({ status: 'running' });
  });

  it('leaves a job whose sessions wait elsewhere to who has their directory, until they begin anew', async () => {
    const { stores, ids } = world();
    const { references: _none, ...needs } = NEEDS;
    const here: JobOffers = { ...ENOUGH, worktrees: ['1'.repeat(16)] };
    const id = await waiting({ ...needs, worktrees: { ['2'.repeat(16)]: 'box:/worktrees' } });
    const anew = () => stores.jobs.resume(id, resumedEvent(ids.uuid()), claimOf({ jobId: id, offers: here }), needs);

    expect(await claimed(here)).toEqual([]);
    expect(await anew()).toMatchObject({ status: 'running', needs });
    expect((await stores.events.readRun(id, 0, 10)).map(({ type }) => type)).toContain('run.resumed');
    await expect(anew()).rejects.toMatchObject({ code: 'KIT_JOB_NOT_RESUMABLE' });
  });

  it('needs from a park on what the park says', async () => {
    const { stores, ids } = world();
    const id = await waiting({ plugins: {}, adapters: {} });
    const [job] = await stores.jobs.claim(claimOf({ jobId: id }));
    const needs = { plugins: {}, adapters: {}, worktrees: { ['3'.repeat(16)]: 'box:/worktrees' } };

    await stores.runs.commit({ jobId: id, workerId: job?.workerId ?? '', attempt: job?.attempt ?? 0 }, [
      { op: 'run.parked', waitingOn: ['x'], error: 'waits', autoResume: true, needs, events: [] },
    ]);

    expect(await stores.jobs.get(id)).toMatchObject({ status: 'deferred', needs });
    await stores.jobs.resume(id, resumedEvent(ids.uuid()));
    expect(await claimed({ plugins: {}, adapters: {}, worktrees: [] })).toEqual([]);
    expect(await claimed({ plugins: {}, adapters: {}, worktrees: ['3'.repeat(16)] })).toEqual([id]);
  });

  it('makes a job runnable without a claim, whatever it needs: somebody else may have it', async () => {
    const { stores, ids } = world();
    const id = await waiting(NEEDS);
    await stores.jobs.requestStop(id, 'ada', stopEvent(ids.uuid()));

    expect(await stores.jobs.resume(id, resumedEvent(ids.uuid()))).toMatchObject({ status: 'pending' });
  });

  it('does not insert a job claimed by a process that lacks what it needs', async () => {
    const { stores, ids } = world();
    const id = ids.jobId();

    const inserted = stores.jobs.insert(newJob(id, { needs: NEEDS }), 'pending', [], claimOf());

    await expect(inserted).rejects.toMatchObject({ code: 'KIT_JOB_NOT_RESUMABLE' });
    expect(await stores.jobs.get(id)).toBeNull();
  });
}
