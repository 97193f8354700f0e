import { afterEach, describe, expect, it } from 'vitest';
import { forkRun } from '../../../src/app/runs/fork-run.js';
import { ENGINE } from '../../../src/domain/journal.js';
import { createClock } from '../../../src/system/clock.js';
import { createIds } from '../../../src/system/ids.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { agent, call, openWorld, type World } from '../../support/run-world.js';

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

/** A run that ended, in a store whose process dies at the `dieAt`-th fault point from now on. */
async function ended() {
  const at = { die: 0, hits: [] as string[] };
  const faults = {
    hit: (name: string): void => {
      if (at.die === 0) return;
      at.hits.push(name);
      if (at.hits.length === at.die) throw new Error(`died at ${name}`);
    },
  };
  const root = agent('root', { role: 'root', children: [agent('one'), agent('two')] });
  const world = await openWorld({
    root,
    faults,
    // A result that lies in a blob is part of the beginning too.
    script: ({ agent: who, turn }) =>
      who === 'root' && turn < 2
        ? [call(`delegate_to_${turn === 0 ? 'one' : 'two'}`, { task: 'x' }, `c${turn}`)]
        : 'x'.repeat(90_000),
  });
  worlds.push(world);
  await world.run();
  return { world, at };
}

describe('a fork whose process dies', () => {
  it('at any fault point is there with its whole beginning or not at all, and its source is as it was', async () => {
    const { world, at } = await ended();
    const { stores, job } = world;
    const host = readWorkerHost();
    const ids = createIds(host);
    const source = async () => [
      await stores.jobs.get(job.id),
      await stores.runs.load(job.id),
      await stores.events.readRun(job.id, 0, 1000),
    ];
    const before = await source();
    const claim = {
      leaseMs: 60_000,
      jobClass: 'any',
      engine: ENGINE,
      offers: { plugins: {}, adapters: {} },
      limit: 1,
      host,
    } as const;
    // The last step: all that came before is the beginning of the fork.
    const last = (await stores.runs.load(job.id)).at(-1)?.key ?? '';

    const outcomes: string[] = [];
    for (let point = 1; ; point += 1) {
      at.die = point;
      at.hits = [];
      const forked = await forkRun(
        {
          stores,
          ids,
          clock: createClock(),
          host: claim.host,
          claimFor: async () => ({ ...claim, workerId: ids.workerId() }),
          assertApproved: async () => undefined,
        },
        { job: job.id, from: last, by: 'alice' },
      ).then(
        () => 'done',
        () => `died at ${at.hits.at(-1)}`,
      );
      at.die = 0;
      for (const other of (await stores.jobs.list({ limit: 100 })).filter(({ id }) => id !== job.id)) {
        const rows = await stores.runs.load(other.id);
        expect([other.attempt, other.status, rows.length > 0, rows.every(({ outcome }) => outcome !== null)]).toEqual([
          2,
          'running',
          true,
          true,
        ]);
      }
      outcomes.push(forked);
      if (forked === 'done') break;
    }

    expect(outcomes).toEqual(expect.arrayContaining(['died at job.insert:before', 'died at job.insert:after', 'done']));
    expect(await source()).toEqual(before);
  });
});
