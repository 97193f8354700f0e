import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FORGET_MS } from '../../../src/app/fleet/heartbeat.js';
import { readQueueStats } from '../../../src/app/fleet/queue-stats.js';
import { thisKit } from '../../../src/app/runs/blocked-by.js';
import type { JobNeeds } from '../../../src/domain/job-needs.js';
import type { FleetMember } from '../../../src/domain/ports/fleet.js';
import type { NewJob } from '../../../src/domain/ports/stores.js';
import { memberOf } from '../../support/fleet-samples.js';
import { newJob } from '../../support/store-samples.js';
import { openSqliteWorld, type SqliteWorld } from '../../support/store-world.js';

const RUNNER: JobNeeds = { plugins: { 'acme-runner': '^1.2.0' }, adapters: {} };

let world: SqliteWorld;
beforeEach(async () => {
  world = await openSqliteWorld();
});
afterEach(() => world.dispose());

const submit = async (over: Partial<NewJob> = {}): Promise<string> => {
  const { stores, ids } = world;
  return (await stores.jobs.insert(newJob(ids.jobId(), over), 'queued', [])).id;
};
const join = (over: Partial<FleetMember> = {}) => world.stores.serving.fleet.beat(memberOf(over), FORGET_MS);
const stats = (over: Partial<Parameters<typeof readQueueStats>[0]> = {}) =>
  readQueueStats({ serving: world.stores.serving, fleet: async () => world.stores.serving.fleet, own: null, ...over });
const blocked = async (over?: Parameters<typeof stats>[0]) => (await stats(over)).blocked;

describe('what nobody alive can claim', () => {
  it('is nothing in an empty queue, and nobody is asked', async () => {
    const unasked = (): never => expect.fail('asked');

    expect(await blocked({ fleet: unasked, own: unasked })).toEqual([]);
  });

  it('is told by kind with what is missing and an example, most jobs first', async () => {
    await join();
    await submit();
    const old = await submit({ engine: 9 });
    const needy = [await submit({ needs: RUNNER }), await submit({ needs: RUNNER })];

    const found = await blocked();

    expect(found).toEqual([
      {
        jobs: 2,
        engine: 1,
        jobClass: 'model',
        missing: ['the plugin acme-runner ^1.2.0 is not installed'],
        example: expect.any(String),
      },
      {
        jobs: 1,
        engine: 9,
        jobClass: 'model',
        missing: ['it goes on with kit engine 9, and this is engine 1'],
        example: old,
      },
    ]);
    expect(needy).toContain(found?.[0]?.example);
    expect(await stats()).toMatchObject({ queued: 4 });
  });

  it('is over as soon as one joins that can, and again when it has fallen silent or drains', async () => {
    const able = { id: 'able', offers: { plugins: { 'acme-runner': '1.9.0' }, adapters: {} } };
    await submit({ needs: RUNNER });
    await join();
    expect(await blocked()).toHaveLength(1);

    await join(able);
    expect(await blocked()).toEqual([]);

    await world.elapse(16_000);
    await join();
    expect(await blocked()).toHaveLength(1);
    await join(able);
    expect(await blocked()).toEqual([]);
    await join({ ...able, concurrency: 0 });
    expect(await blocked()).toHaveLength(1);
  });

  it('counts what this process offers where any process may go on, and asks for it only then', async () => {
    await submit();
    const own = async () => thisKit({ plugins: {}, adapters: {} });
    expect(await blocked()).toMatchObject([{ jobs: 1, missing: ['no server or worker is alive that claims runs'] }]);
    expect(await blocked({ own })).toEqual([]);

    await join();

    expect(await blocked({ own: () => expect.fail('the workspace was read') })).toEqual([]);
  });

  it('says the same where the workspace cannot be opened', async () => {
    await submit();

    expect(await blocked({ own: () => Promise.reject(new Error('broken')) })).toHaveLength(1);
  });

  it('is not known where the rows of the fleet cannot be read; the queue is told of all the same', async () => {
    await submit();

    expect(await stats({ fleet: () => Promise.reject(new Error('no database')) })).toMatchObject({
      queued: 1,
      blocked: null,
    });
  });
});
