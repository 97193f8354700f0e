import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { createObserveApp } from '../../../src/app/observe/create-observe-app.js';
import type { Stores } from '../../../src/domain/ports/stores.js';
import { createClock } from '../../../src/system/clock.js';
import { reduceRun } from '../../../src/view/reduce-run.js';
import { figuresOf } from '../../../src/view/run-figures.js';
import { EMPTY_RUN } from '../../../src/view/run-view.js';
import { busyRun } from '../../support/observed-run.js';
import type { World } from '../../support/run-world.js';
import { claimOf, endedEvent, fenceOf, HERE, newJob, runEndWrite, startedEvent } from '../../support/store-samples.js';
import { openSqliteWorld, type SqliteWorld } from '../../support/store-world.js';

/** The same stores, with the events that were read of runs. */
function counting(stores: Stores): { readonly stores: Stores; readonly read: () => number } {
  let read = 0;
  const events = new Proxy(stores.events, {
    get: (log, name) => {
      if (name !== 'readRun') return Reflect.get(log, name).bind(log);
      return async (...args: Parameters<Stores['events']['readRun']>) => {
        const page = await log.readRun(...args);
        read += page.length;
        return page;
      };
    },
  });
  return { stores: { ...stores, events }, read: () => read };
}

const listed = (stores: Stores) =>
  createObserveApp({
    ids: { uuid: randomUUID },
    clock: createClock(),
    host: HERE,
    openStores: async () => stores,
    maskOf: async () => (text: string) => text,
  }).status({ workspace: '', limit: 10 });

describe('a list of runs', () => {
  let world: World | SqliteWorld | null = null;
  afterEach(async () => {
    if (world !== null) await ('close' in world ? world.close() : world.dispose());
  });

  const opened = async (): Promise<SqliteWorld> => {
    const own = await openSqliteWorld();
    world = own;
    return own;
  };

  it('reads no event of a run that has ended, and shows what its events say', async () => {
    const busy = await busyRun();
    world = busy;
    const log = counting(busy.stores);

    const [run] = await listed(log.stores);

    const events = await busy.events();
    expect(run?.figures).toEqual(figuresOf(events.reduce(reduceRun, EMPTY_RUN)));
    expect(run?.figures).toMatchObject({ agents: 5, issues: 3 });
    expect(log.read()).toBe(0);
  });

  it('counts once a run whose row does not say it, and every time one that goes on', async () => {
    const { stores, ids } = await opened();
    const submit = () => stores.jobs.insert(newJob(ids.jobId()), 'pending', [startedEvent(ids.uuid())], claimOf());
    const ended = await submit();
    await stores.runs.commit(fenceOf(ended), [runEndWrite([endedEvent(ids.uuid())])]);
    const read = async (): Promise<number> => {
      const log = counting(stores);
      await listed(log.stores);
      return log.read();
    };

    expect([await read(), await read()]).toEqual([2, 0]);
    await submit();
    expect([await read(), await read()]).toEqual([1, 1]);
  });

  it('is shown to whoever may not write', async () => {
    const { stores, ids } = await opened();
    const job = await stores.jobs.insert(newJob(ids.jobId()), 'pending', [startedEvent(ids.uuid())], claimOf());
    await stores.runs.commit(fenceOf(job), [runEndWrite([endedEvent(ids.uuid())])]);
    const jobs = new Proxy(stores.jobs, {
      get: (rows, name) =>
        name === 'keepFigures' ? () => Promise.reject(new Error('read only')) : Reflect.get(rows, name).bind(rows),
    });

    expect((await listed({ ...stores, jobs })).map(({ figures }) => figures.agents)).toEqual([0]);
  });
});
