import { expect, it } from 'vitest';
import { entryEvent } from '../../../src/app/entry-events.js';
import { type ReadLoose, readLoose } from '../../../src/app/events/read-loose.js';
import { newJob, startedEvent } from '../../support/store-samples.js';
import { createManualClock, openSqliteWorld } from '../../support/store-world.js';

const ALL: ReadLoose = { workspace: '', types: [], topology: null, last: 50 };

it('reads the events of no run, oldest first, and no others', async () => {
  const clock = createManualClock();
  const world = await openSqliteWorld({ clock });
  try {
    const deps = { ids: world.ids, clock };
    const refused = (topology: string) =>
      entryEvent(deps, { type: 'input.rejected', topology, payload: { errors: [], submitted_by: 'ada' } });
    await world.stores.events.append(refused('first'), {});
    await world.stores.jobs.insert(newJob(world.ids.jobId()), 'pending', [startedEvent(world.ids.uuid())]);
    await world.stores.events.append(refused('second'), {});
    const fired = { trigger: 't', type: 'cron', occurrence: null, by: null, targets: [] };
    await world.stores.events.append(entryEvent(deps, { type: 'trigger.fired', topology: '', payload: fired }), {});
    const reported = async (over: Partial<ReadLoose>) =>
      (await readLoose(world.stores, { ...ALL, ...over })).map(({ type, topologyId }) => `${type} ${topologyId}`);

    expect(await reported({})).toEqual(['input.rejected first', 'input.rejected second', 'trigger.fired ']);
    expect(await reported({ last: 2 })).toEqual(['input.rejected second', 'trigger.fired ']);
    expect(await reported({ types: ['input'] })).toEqual(['input.rejected first', 'input.rejected second']);
    expect(await reported({ topology: 'first' })).toEqual(['input.rejected first']);
    expect(await reported({ types: ['run.started'] })).toEqual([]);
    await expect(reported({ types: ['inputs'] })).rejects.toMatchObject({ code: 'KIT_USAGE' });
    await expect(reported({ topology: 'first@1.0.0' })).rejects.toMatchObject({ code: 'KIT_USAGE' });
  } finally {
    await world.dispose();
  }
});

it('reads nothing where nothing was ever run', async () => {
  expect(await readLoose(null, ALL)).toEqual([]);
});
