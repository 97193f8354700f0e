import { expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import type { RunWrite } from '../../../src/domain/journal.js';
import { approve, gateOf, openingOf, openWrite, parkWrite, taskOf } from '../../support/review-samples.js';
import { claimOf, endedEvent, fenceOf, newJob, runEndWrite, stopEvent } from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

/** Long enough that no test meets its end. */
const LATER_MS = 365 * 24 * 3_600_000;

/**
 * A run that waits for another one holds no worker, and is woken in the transaction in which that
 * one comes to rest (docs/design/journal.md#waiting).
 */
export function familyLaws(world: World): void {
  const insert = (over: Parameters<typeof newJob>[1] = {}): Promise<Job> =>
    world().stores.jobs.insert(newJob(world().ids.jobId(), over), 'queued', [], claimOf());
  const child = (caller: Job, over: Parameters<typeof newJob>[1] = {}): Promise<Job> =>
    insert({ source: 'agent', callerJobId: caller.id, ...over });
  const commit = (job: Job, ...writes: RunWrite[]) => world().stores.runs.commit(fenceOf(job), writes);
  const wait = (job: Job, waitingOn: readonly string[], wakeAfterMs = LATER_MS) =>
    commit(job, { op: 'run.parked', waitingOn, error: '', autoResume: true, wakeAfterMs, events: [] });
  const park = (job: Job, waitingOn: readonly string[], over: { readonly autoResume?: boolean } = {}) =>
    commit(job, parkWrite(waitingOn, world().ids.uuid(), over));
  const end = (job: Job, status: 'completed' | 'failed' | 'stopped' = 'completed') =>
    commit(job, runEndWrite([endedEvent(world().ids.uuid(), status)], { status }));
  const row = async (job: Job): Promise<Job | null> => world().stores.jobs.get(job.id);
  const typesOf = async (job: Job): Promise<string[]> =>
    (await world().stores.events.readRun(job.id, 0, 100)).map((event) => event.type);
  const claimed = async (): Promise<string[]> =>
    (await world().stores.jobs.claim(claimOf({ workerId: 'w2' }))).map(({ id }) => id);

  it('lets go of a run that waits for another one, and claims it for nobody meanwhile', async () => {
    const caller = await insert();
    const called = await child(caller);
    await wait(caller, [called.id]);

    expect(await row(caller)).toMatchObject({
      status: 'running',
      workerId: null,
      leaseUntil: null,
      waitingOn: [called.id],
      wakeAt: expect.any(String),
    });
    // By the clock that wrote when it was claimed, and no other.
    const { wakeAt, claimedAt } = (await row(caller)) as Job;
    const waitsMs = Date.parse(wakeAt ?? '') - Date.parse(claimedAt ?? '');
    expect([waitsMs >= LATER_MS, waitsMs < LATER_MS + 60_000]).toEqual([true, true]);
    expect(await claimed()).toEqual([]);
    await expect(end(caller)).rejects.toMatchObject({ code: 'KIT_LEASE_LOST' });
  });

  it.each(['completed', 'failed', 'stopped'] as const)('wakes it when the other one is %s', async (status) => {
    const caller = await insert();
    const called = await child(caller);
    await wait(caller, [called.id]);

    await end(called, status);

    expect(await claimed()).toEqual([caller.id]);
    expect(await row(caller)).toMatchObject({
      status: 'running',
      workerId: 'w2',
      attempt: 2,
      waitingOn: [],
      wakeAt: null,
    });
    expect(await claimed()).toEqual([]);
  });

  it('wakes it when the other one parks, so that it can say what it waits for', async () => {
    const caller = await insert();
    const called = await child(caller);
    await wait(caller, [called.id]);

    await park(called, ['some-gate']);

    expect(await claimed()).toEqual([caller.id]);
  });

  it('wakes it when nobody executed the other one and it is stopped', async () => {
    const caller = await insert();
    const called = await world().stores.jobs.insert(
      newJob(world().ids.jobId(), { source: 'agent', callerJobId: caller.id }),
      'queued',
      [],
    );
    await wait(caller, [called.id]);

    await world().stores.jobs.requestStop(called.id, 'ada', stopEvent(world().ids.uuid()));

    expect(await claimed()).toEqual([caller.id]);
  });

  it.each(['completed', 'failed', 'stopped'] as const)(
    'keeps the lease where the other one is %s already',
    async (status) => {
      const caller = await insert();
      const called = await child(caller);
      await end(called, status);

      await wait(caller, [called.id]);

      expect(await row(caller)).toMatchObject({ status: 'running', workerId: 'w1', attempt: 1, wakeAt: null });
    },
  );

  it('keeps the lease where the other one has parked already, but parks beside it for people', async () => {
    const caller = await insert();
    const called = await child(caller);
    await park(called, ['some-gate']);

    await wait(caller, [called.id]);
    expect(await row(caller)).toMatchObject({ status: 'running', workerId: 'w1' });

    await park(caller, [called.id]);
    expect(await row(caller)).toMatchObject({ status: 'deferred', waitingOn: [called.id] });
    expect(await claimed()).toEqual([]);
  });

  it('wakes a deferred run with the end of the one that it waits for, and says so in its log', async () => {
    const caller = await insert();
    const called = await child(caller);
    await park(caller, [called.id]);

    await end(called);

    expect(await row(caller)).toMatchObject({ status: 'queued', waitingOn: [], error: null });
    expect(await typesOf(caller)).toEqual(['run.parked', 'run.resumed']);
    expect(await claimed()).toEqual([caller.id]);
  });

  it('leaves a deferred run to an explicit resume where the workspace says so', async () => {
    const caller = await insert();
    const called = await child(caller);
    await park(caller, [called.id], { autoResume: false });

    await end(called);

    expect((await row(caller))?.status).toBe('deferred');
  });

  it('leaves alone what a run stands beside but was not asked for by', async () => {
    const caller = await insert();
    const other = await insert({ parentJobId: caller.id });
    await wait(caller, [other.id]);

    await end(other);

    expect(await claimed()).toEqual([]);
  });

  it('claims it when its time has come, whatever the other one does', async () => {
    const caller = await insert();
    const called = await child(caller);

    await wait(caller, [called.id], 0);

    expect(await claimed()).toEqual([caller.id]);
  });

  it('stops it at once while nobody executes it', async () => {
    const caller = await insert();
    const called = await child(caller);
    await wait(caller, [called.id]);

    const { job } = await world().stores.jobs.requestStop(caller.id, 'ada', stopEvent(world().ids.uuid()));

    expect(job).toMatchObject({ status: 'stopped', wakeAt: null, waitingOn: [] });
    await end(called);
    expect(await claimed()).toEqual([]);
  });

  it('goes on with a resume while the other one still runs', async () => {
    const caller = await insert();
    const called = await child(caller);
    await wait(caller, [called.id]);

    const event = {
      ...stopEvent(world().ids.uuid()),
      type: 'run.resumed',
      payload: { requested_by: 'ada', from_status: 'deferred' },
    } as const;
    const job = await world().stores.jobs.resume(caller.id, event, claimOf({ workerId: 'w3' }));

    expect(job).toMatchObject({ status: 'running', workerId: 'w3', waitingOn: [] });
    // It was never parked: what is told is its beginning and its end.
    expect(await typesOf(caller)).not.toContain('run.resumed');
  });

  it('never misses an end that comes while the run lets go', async () => {
    const caller = await insert();
    const called = await child(caller);

    await Promise.all([wait(caller, [called.id]), end(called)]);

    const now = await row(caller);
    const isHeld = now?.workerId === 'w1';
    expect([isHeld, isHeld ? [] : await claimed()]).toEqual([isHeld, isHeld ? [] : [caller.id]]);
  });

  it('wakes a run in whose log a gate was decided before', async () => {
    const caller = await insert();
    const called = await child(caller);
    const gate = gateOf(caller.id);
    await commit(caller, openWrite(openingOf(gate, ['qa'])));
    await park(caller, [gate.gateId, called.id]);

    await end(called);
    expect(await claimed()).toEqual([caller.id]);
    const changed = await world().stores.reviews.change(
      caller.id,
      approve({ itemId: taskOf(gate, 'qa').id, by: 'qa-1', ids: world().ids }),
    );
    expect(changed.result).toBe('decided');
  });
}
