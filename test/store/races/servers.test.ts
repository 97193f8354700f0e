import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Stores } from '../../../src/domain/ports/stores.js';
import { SHARED_STORES, type SharedStore } from '../../support/shared-store.js';
import { createIds, newJob, startedEvent } from '../../support/store-samples.js';

const SERVERS = 10;
const CALLS_EACH = 5;
const CALLERS = SERVERS * CALLS_EACH;

describe.each(SHARED_STORES)('servers of one %s store', (name, open) => {
  let shared: SharedStore;
  let servers: readonly Stores[];
  beforeEach(async () => {
    shared = await open();
    servers = await Promise.all(Array.from({ length: SERVERS }, (_, n) => shared.join(n)));
  });
  afterEach(() => shared.dispose());

  /** Every server asks several times, all of them at once. */
  const race = <T>(ask: (stores: Stores, caller: number) => Promise<T>): Promise<readonly PromiseSettledResult<T>[]> =>
    Promise.allSettled(
      Array.from({ length: CALLERS }, (_, caller) => ask(servers[caller % SERVERS] ?? expect.fail(), caller)),
    );
  const values = <T>(results: readonly PromiseSettledResult<T>[]): readonly T[] =>
    results.map((result) => (result.status === 'fulfilled' ? result.value : expect.fail(String(result.reason))));
  const one = (): Stores => servers[0] ?? expect.fail();

  it(`make one job of ${CALLERS} requests under one key (${name})`, async () => {
    for (const key of ['a', 'b', 'c']) {
      const submit = (stores: Stores, caller: number) => {
        const ids = createIds(0x2000 + caller + key.charCodeAt(0) * 0x1000);
        return stores.jobs.insertOnce({ clientId: 'ada', key, digest: 'd' }, newJob(ids.jobId()), 'queued', [
          startedEvent(ids.uuid()),
        ]);
      };
      const answers = values(await race(submit));
      expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1);
      expect(new Set(answers.map(({ job }) => job.id)).size).toBe(1);
    }
    expect(await one().jobs.list({ limit: 100 })).toHaveLength(3);
    expect((await one().events.read({ limit: 100 })).events).toHaveLength(3);
  }, 60_000);

  it(`fire an occurrence of a trigger once, however many there are (${name})`, async () => {
    for (const occurrence of ['a', 'b', 'c']) {
      expect(
        values(await race((stores) => stores.serving.takeOccurrence('nightly', occurrence))).filter(Boolean),
      ).toHaveLength(1);
    }
  }, 60_000);

  it(`have one leader (${name})`, async () => {
    const won = values(
      await race((stores, caller) => stores.serving.lead('cron', `server-${caller % SERVERS}`, 60_000)),
    );
    const leaders = new Set(won.flatMap((isLeader, caller) => (isLeader ? [caller % SERVERS] : [])));
    expect(leaders.size).toBe(1);
  }, 60_000);

  it(`count each run of a canary route once, and all of them (${name})`, async () => {
    const results = await race((stores, caller) =>
      stores.serving.canary.record('route', {
        jobId: `job-${caller % 20}`,
        version: '2.0.0',
        failed: caller % 2 === 0,
        drift: 0.5,
        windowMs: 60_000,
      }),
    );
    values(results);
    expect((await one().serving.canary.state('route')).counters).toMatchObject([
      { runs: 20, driftCount: 20, driftSum: 10 },
    ]);
  }, 60_000);

  it(`let one of them change the weights after the same change (${name})`, async () => {
    const change = {
      topology: 'review',
      weights: { '2.0.0': 100 },
      oldWeights: { '2.0.0': 10 },
      counters: [],
      reason: 'criteria',
    } as const;
    for (let round = 1; round <= 3; round++) {
      const expected = (await one().serving.canary.state('route')).override?.at ?? null;
      const won = values(
        await race((stores, caller) =>
          stores.serving.canary.override('route', { ...change, by: `${caller}` }, expected),
        ),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await one().serving.canary.promotions(null, 100)).toHaveLength(round);
    }
  }, 60_000);

  it(`give the next turn of a conversation to one message (${name})`, async () => {
    await one().serving.conversations.create({ id: '0a1b2c3d', topology: 'review', createdBy: 'ada', shared: false });
    const results = await race((stores, caller) =>
      stores.serving.conversations.begin('0a1b2c3d', { jobId: `job-${caller}`, message: `m${caller}` }),
    );

    const [taken, ...more] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(taken).toMatchObject({ n: 1 });
    expect(more).toEqual([]);
    const busy = { code: 'KIT_CONVERSATION_BUSY', data: { n: 1, job_id: taken?.jobId } };
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(busy);
    const { conversations } = one().serving;
    await expect(conversations.begin('0a1b2c3d', { jobId: 'late', message: 'late' })).rejects.toMatchObject(busy);
    // Nobody reads of a turn before its run is there.
    expect((await conversations.get('0a1b2c3d', 'ada')).turns).toEqual([]);
  }, 60_000);

  it(`lose no line of the access log (${name})`, async () => {
    const line = { clientId: 'ada', provider: 'none', method: 'GET', route: '/jobs', status: 200 };
    values(
      await race((stores, caller) =>
        stores.serving.recordAccess([1, 2, 3].map((n) => ({ ...line, requestId: `${caller}-${n}` }))),
      ),
    );

    const kept = (await one().serving.access(1000)).map(({ requestId }) => requestId);
    expect(new Set(kept).size).toBe(CALLERS * 3);
  }, 60_000);
});
