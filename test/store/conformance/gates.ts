import { expect, it } from 'vitest';
import type { GateRound, ReviewState } from '../../../src/domain/gates.js';
import type { Job } from '../../../src/domain/job.js';
import type { RunWrite } from '../../../src/domain/journal.js';
import { committed } from '../../support/committed.js';
import {
  askWrite,
  decisionOf,
  gateOf,
  gateOpened,
  itemOf,
  nothing,
  openingOf,
  openWrite,
  taskOf,
} from '../../support/review-samples.js';
import {
  claimOf,
  endedEvent,
  fenceOf,
  HERE,
  newJob,
  resumedEvent,
  runEndWrite,
  stopEvent,
} from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

/** How runs open gates and ask people, and what becomes of both when the run ends. */
export function gateLaws(world: World): void {
  const running = (): Promise<Job> => world().stores.jobs.insert(newJob(world().ids.jobId()), 'pending', [], claimOf());
  const commit = (job: Job, ...writes: RunWrite[]) => committed(world().stores, fenceOf(job), writes);
  const stateOf = async (job: Job): Promise<ReviewState> => {
    const state = await world().stores.reviews.state(job.id);
    if (state === null) throw new Error('no state');
    return state;
  };
  const timersOf = async (job: Job) => world().stores.reviews.dueTimers(10, job.id);
  /** Decides a round as a whole, whoever asks. */
  const decide = (gate: GateRound, over: Partial<GateRound>) =>
    world().stores.reviews.change(gate.jobId, () => ({ ...nothing(null), gates: [{ ...gate, ...over }] }));

  it('opens a round with its tasks and events in the commit of its step, and gives every field back across a restart', async () => {
    const job = await running();
    const { ids } = world();
    const gate = gateOf(job.id, { expiresAt: '2026-01-03T00:00:00.000Z', escalatedTo: ['lead'] });
    const opening = openingOf(gate);
    const asked = itemOf(job.id, 'ask-1', { skillId: 'fetch', details: [1, { text: 'a\u0000b' }] });

    const stored = await commit(job, openWrite(opening, [gateOpened(ids.uuid(), gate)]), askWrite([asked]));

    expect(stored.map(({ type, seq }) => [type, seq])).toEqual([['funnel.gate_opened', 1]]);
    await world().reopen();
    const state = await stateOf(job);
    expect(state).toEqual({
      now: '2026-01-02T03:04:05.000Z',
      job: {
        id: job.id,
        status: 'running',
        topologyId: 'review',
        submittedBy: job.submittedBy,
        earlier: [],
        waitingOn: [],
        autoResume: true,
      },
      gates: [gate],
      items: [...opening.items, asked],
      decisions: [],
    });
    const { reviews } = world().stores;
    expect(await reviews.gate(gate.gateId)).toEqual(gate);
    expect(await reviews.gate(gate.gateId, 0)).toEqual(gate);
    expect(await reviews.gate(gate.gateId, 1)).toBeNull();
    expect(await reviews.item('ask-1')).toEqual(asked);
  });

  it('knows nothing of a job, a gate and an item that are not there', async () => {
    const { reviews } = world().stores;
    expect(await reviews.state('000000000000')).toBeNull();
    expect(await reviews.gate('000000000000:x')).toBeNull();
    expect(await reviews.item('mpa-x')).toBeNull();
    expect(await reviews.items({ show: 'all', limit: 10 })).toEqual({ items: [], hasMore: false, total: 0 });
    expect(await reviews.openGates({ limit: 10 })).toEqual([]);
    expect(await reviews.dueTimers(10)).toEqual([]);
    await expect(reviews.change('000000000000', () => nothing(1))).rejects.toMatchObject({ code: 'KIT_JOB_UNKNOWN' });
  });

  it('leaves a round as it is when its step is repeated', async () => {
    const job = await running();
    const gate = gateOf(job.id);
    await commit(job, openWrite(openingOf(gate)), askWrite([itemOf(job.id, 'ask-1')]));
    const { reviews } = world().stores;
    const [first, ask] = [(await stateOf(job)).items[0], await reviews.item('ask-1')];
    if (first === undefined || ask === null) throw new Error('nothing was opened');
    await reviews.change(job.id, () => ({
      ...nothing(null),
      items: [first, ask].map((item) => ({ ...item, status: 'approved', resolvedBy: 'qa-1' })),
    }));
    const before = await stateOf(job);

    await commit(
      job,
      openWrite(openingOf({ ...gate, openedAt: '2026-01-09T00:00:00.000Z' })),
      askWrite([itemOf(job.id, 'ask-1')]),
    );

    expect(await stateOf(job)).toEqual(before);
  });

  it('opens the next round with what still counts, and marks what the one before left open', async () => {
    const job = await running();
    const gate = gateOf(job.id, { expiresAt: '2026-01-02T04:00:00.000Z' });
    const opening = openingOf(gate, ['qa', 'ops', 'lead']);
    await commit(job, openWrite(opening));
    const [qa] = opening.items;
    if (qa === undefined) throw new Error('no task');
    const made = decisionOf(qa, 'decision-1');
    await world().stores.reviews.change(job.id, () => ({
      ...nothing(null),
      gates: [{ ...gate, status: 'changes-requested', decidedAt: '2026-01-02T03:05:00.000Z' }],
      items: [{ ...qa, status: 'approved' }],
      decisions: [made],
    }));
    const next = gateOf(job.id, { round: 1, sha256: '9'.repeat(64) });
    const carried = { ...made, round: 1, itemId: taskOf(next, 'qa').id, carriedFrom: 0 };

    await commit(job, openWrite({ ...openingOf(next), carried: [carried] }));

    const state = await stateOf(job);
    expect(state.gates.map((one) => [one.round, one.status])).toEqual([
      [0, 'changes-requested'],
      [1, 'pending'],
    ]);
    expect(state.items.map((item) => [item.role, item.round, item.status, item.stale])).toEqual([
      ['qa', 0, 'approved', true],
      ['ops', 0, 'pending', true],
      ['lead', 0, 'pending', true],
      ['qa', 1, 'pending', false],
      ['ops', 1, 'pending', false],
    ]);
    expect(state.decisions).toEqual([made, carried]);
    expect(await world().stores.reviews.gate(gate.gateId)).toMatchObject({ round: 1 });
  });

  it.each<[string, (gate: GateRound) => Partial<GateRound>]>([
    ['while another round of it is pending', () => ({ round: 1, sha256: '9'.repeat(64) })],
    ['under a number that is used', () => ({ sha256: '9'.repeat(64) })],
    ['for another activation under a number that is used', () => ({ activation: 'root/c1:writer' })],
  ])('refuses a round of a gate %s', async (_, over) => {
    const job = await running();
    const gate = gateOf(job.id);
    await commit(job, openWrite(openingOf(gate)));
    const before = await stateOf(job);

    await expect(commit(job, openWrite(openingOf({ ...gate, ...over(gate) })))).rejects.toMatchObject({
      code: 'KIT_INTERNAL',
    });

    expect(await stateOf(job)).toEqual(before);
    expect((await world().stores.runs.load(job.id)).map((row) => row.attempt)).toEqual([1]);
  });

  it('refuses a round that leaves out a number, and one of another run', async () => {
    const [job, other] = [await running(), await running()];
    const gate = gateOf(job.id);
    await commit(job, openWrite(openingOf(gate)));
    await decide(gate, { status: 'changes-requested' });
    const refused = { code: 'KIT_INTERNAL' };

    await expect(
      commit(job, openWrite(openingOf(gateOf(job.id, { round: 2, sha256: '9'.repeat(64) })))),
    ).rejects.toMatchObject(refused);
    await expect(
      commit(job, { ...openWrite(openingOf(gate)), opens: openingOf(gateOf(other.id)) } as RunWrite),
    ).rejects.toMatchObject(refused);
    await expect(
      commit(job, { ...askWrite([itemOf(job.id, 'a')]), asks: [itemOf(other.id, 'a')] } as RunWrite),
    ).rejects.toMatchObject(refused);

    expect((await stateOf(job)).gates).toHaveLength(1);
    expect((await stateOf(other)).gates).toEqual([]);
  });

  it.each(['completed', 'failed'] as const)('withdraws what is open when the run is %s', async (status) => {
    const job = await running();
    const gate = gateOf(job.id, { expiresAt: '2026-01-02T03:04:00.000Z' });
    const done = itemOf(job.id, 'done', { status: 'approved', resolvedBy: 'ada' });
    await commit(job, openWrite(openingOf(gate)), askWrite([itemOf(job.id, 'ask-1'), done]));
    expect(await timersOf(job)).toHaveLength(1);

    await commit(job, runEndWrite([endedEvent(world().ids.uuid(), status)], { status }));

    const state = await stateOf(job);
    expect(state.gates.map((one) => [one.status, one.withdrawn])).toEqual([['pending', true]]);
    expect(state.items.map((item) => [item.id.slice(-5), item.status, item.withdrawn])).toEqual([
      ['-0-qa', 'pending', true],
      ['0-ops', 'pending', true],
      ['ask-1', 'pending', true],
      ['done', 'approved', false],
    ]);
    expect(await timersOf(job)).toEqual([]);
    expect(await world().stores.reviews.openGates({ limit: 10 })).toEqual([]);
    expect(await world().stores.reviews.items({ show: 'pending', limit: 10 })).toEqual({
      items: [],
      hasMore: false,
      total: 0,
    });
  });

  it('withdraws what is open of a run that crashed too often', async () => {
    const job = await world().stores.jobs.insert(newJob(world().ids.jobId()), 'pending', [], claimOf({ leaseMs: 10 }));
    await commit(job, openWrite(openingOf(gateOf(job.id))));
    for (let crash = 1; crash <= 3; crash++) {
      await world().elapse(1000);
      await world().stores.jobs.sweep(HERE);
      await world().stores.jobs.claim(claimOf({ leaseMs: 10 }));
    }

    expect(await world().stores.jobs.get(job.id)).toMatchObject({ status: 'failed', reason: 'crash_loop' });
    expect((await stateOf(job)).gates[0]?.withdrawn).toBe(true);
  });

  it('keeps what is open of a stopped run, lets its deadlines rest, and opens nothing anew when it goes on', async () => {
    const job = await running();
    const gate = gateOf(job.id, { expiresAt: '2026-01-02T03:04:00.000Z' });
    await commit(job, openWrite(openingOf(gate)));
    const { jobs, reviews } = world().stores;
    await jobs.requestStop(job.id, 'ada', stopEvent(world().ids.uuid()));
    await commit(job, runEndWrite([endedEvent(world().ids.uuid(), 'stopped')], { status: 'stopped', output: null }));

    expect((await stateOf(job)).gates).toEqual([gate]);
    expect((await stateOf(job)).job.status).toBe('stopped');
    expect(await reviews.dueTimers(10)).toEqual([]);
    expect(await timersOf(job)).toHaveLength(1);

    const again = await jobs.resume(job.id, resumedEvent(world().ids.uuid()), claimOf());
    await commit(again, openWrite(openingOf(gate)));
    expect((await stateOf(job)).gates).toEqual([gate]);
    expect(await reviews.dueTimers(10)).toHaveLength(1);
  });
}
