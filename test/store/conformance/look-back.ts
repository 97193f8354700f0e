import { expect, it } from 'vitest';
import { messageEvent, newJob, startedEvent } from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

const forever = { msLeft: () => Number.POSITIVE_INFINITY };

export function lookBackLaws(world: World): void {
  const fill = async (): Promise<string> => {
    const { stores, ids } = world();
    const ownId = ids.jobId();
    for (const id of [ids.jobId(), ownId, ids.jobId()]) {
      const events = [startedEvent(ids.uuid()), messageEvent(ids.uuid(), 'one'), messageEvent(ids.uuid(), 'two')];
      await stores.jobs.insert(newJob(id), 'pending', events);
    }
    return ownId;
  };

  it('goes on where an earlier look back has left off, by every filter', async () => {
    const jobId = await fill();
    const { events } = world().stores;
    const topologyId = (await events.readNewest({ limit: 1 }))[0]?.topologyId ?? '';
    const filters = [{}, { jobId }, { types: ['executor.message'] as const }, { topologyId }];
    for (const filter of filters) {
      const all = await events.readNewest({ ...filter, limit: 1000 });
      const found = [];
      let before: string | null | undefined;
      while (before !== null) {
        const page = await events.lookBack({
          ...filter,
          ...forever,
          limit: 2,
          ...(before === undefined ? {} : { before }),
        });
        expect(page.events.length).toBeLessThanOrEqual(2);
        found.push(...page.events);
        before = page.before;
      }
      expect(found.length).toBeGreaterThan(2);
      expect(found).toEqual(all);
    }
  });

  it('refuses a cursor that this log did not issue', async () => {
    await fill();
    await expect(world().stores.events.lookBack({ ...forever, limit: 1, before: 'forged' })).rejects.toMatchObject({
      code: 'KIT_CURSOR_INVALID',
    });
  });
}
