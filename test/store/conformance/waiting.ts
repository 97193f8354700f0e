import { expect, it } from 'vitest';
import type { JobNeeds, JobOffers } from '../../../src/domain/job-needs.js';
import type { NewJob } from '../../../src/domain/ports/stores.js';
import { claimOf, fenceOf, newJob, stopEvent } from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

const NOTHING: JobNeeds = { plugins: {}, adapters: {} };
const RUNNER: JobNeeds = {
  plugins: { 'acme-runner': '^1.2.0' },
  adapters: { coder: 'a'.repeat(64) },
  workspace: 'café',
};

/** All that `RUNNER` needs. */
const OFFERS: JobOffers = { plugins: { 'acme-runner': '1.4.0' }, adapters: RUNNER.adapters, workspace: 'café' };

export function waitingLaws(world: World): void {
  const submit = async (over: Partial<NewJob> = {}, status: 'pending' | 'queued' = 'queued'): Promise<string> =>
    (await world().stores.jobs.insert(newJob(world().ids.jobId(), over), status, [])).id;
  const kinds = () => world().stores.serving.waitingKinds();

  it('knows no kind of an empty queue, and counts none', async () => {
    expect(await kinds()).toEqual([]);
    expect(await world().stores.serving.countWaiting({ engine: 1, jobClass: 'model', needs: NOTHING })).toBeNull();
  });

  it('knows the needs of what waits and of what waits for other runs, each once', async () => {
    const { stores, ids } = world();
    const { jobs, runs, serving } = stores;
    await submit({ needs: NOTHING });
    await submit({ needs: NOTHING, engine: 2 });
    const caller = await jobs.insert(
      newJob(ids.jobId(), { needs: RUNNER }),
      'pending',
      [],
      claimOf({ offers: OFFERS }),
    );
    expect(await serving.waitingNeeds()).not.toContainEqual(RUNNER);

    await runs.commit(fenceOf(caller), [
      { op: 'run.parked', waitingOn: ['a-run'], error: '', autoResume: true, wakeAfterMs: 60_000, events: [] },
    ]);

    const needed = await serving.waitingNeeds();
    expect(needed).toContainEqual(NOTHING);
    expect(needed.filter((one) => JSON.stringify(one) === JSON.stringify(RUNNER))).toHaveLength(1);
  });

  it('lists each kind of the jobs that wait once, told apart by engine, class and needs alone', async () => {
    for (const topology of ['a', 'b', 'c']) await submit({ topology, needs: NOTHING });
    await submit({ needs: NOTHING, engine: 2 }, 'pending');
    await submit({ needs: NOTHING, jobClass: 'harness' });
    await submit({ needs: RUNNER, priority: 9 });
    await submit({ needs: RUNNER, priority: 1 });

    const listed = await kinds();
    expect(listed).toHaveLength(4);
    expect(listed).toEqual(
      expect.arrayContaining([
        { engine: 1, jobClass: 'harness', needs: NOTHING },
        { engine: 1, jobClass: 'model', needs: NOTHING },
        { engine: 1, jobClass: 'model', needs: RUNNER },
        { engine: 2, jobClass: 'model', needs: NOTHING },
      ]),
    );
  });

  it('counts the jobs of one kind that wait, and names one of them', async () => {
    const ids = [await submit({ needs: RUNNER }), await submit({ needs: RUNNER }, 'pending')];
    await submit({ needs: NOTHING });

    const counted = await world().stores.serving.countWaiting({ engine: 1, jobClass: 'model', needs: RUNNER });

    expect(counted?.jobs).toBe(2);
    expect(ids).toContain(counted?.example);
    expect(await world().stores.serving.countWaiting({ engine: 2, jobClass: 'model', needs: RUNNER })).toBeNull();
    expect(await world().stores.serving.countWaiting({ engine: 1, jobClass: 'harness', needs: RUNNER })).toBeNull();
  });

  it('leaves out what runs, what was stopped and what is over', async () => {
    const { stores, ids } = world();
    const stopped = await submit();
    await stores.jobs.requestStop(stopped, 'ada', stopEvent(ids.uuid()));
    const claimed = await submit();
    await stores.jobs.claim(claimOf({ jobId: claimed }));

    expect(await kinds()).toEqual([]);
  });
}
