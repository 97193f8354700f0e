import { expect, it } from 'vitest';
import type { GateRound } from '../../../src/domain/gates.js';
import type { Job } from '../../../src/domain/job.js';
import type { RunWrite } from '../../../src/domain/journal.js';
import { committed } from '../../support/committed.js';
import {
  approve,
  askWrite,
  gateOf,
  itemOf,
  nothing,
  openingOf,
  openWrite,
  parkWrite,
  taskOf,
} from '../../support/review-samples.js';
import { claimOf, fenceOf, newJob, resumedEvent, startWrite, stepOf, stopEvent } from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

/**
 * Deciding and waking are one transaction, parking is conditional: a job wakes once, whenever the
 * decision comes (docs/design/journal.md#waking).
 */
export function parkingLaws(world: World): void {
  const insert = (): Promise<Job> => world().stores.jobs.insert(newJob(world().ids.jobId()), 'queued', [], claimOf());
  const commit = (job: Job, ...writes: RunWrite[]) => committed(world().stores, fenceOf(job), writes);
  const park = (job: Job, waitingOn: readonly string[], over: { readonly autoResume?: boolean } = {}) =>
    commit(job, parkWrite(waitingOn, world().ids.uuid(), over));
  const decide = (jobId: string, itemId: string, by = 'qa-1') =>
    world().stores.reviews.change(jobId, approve({ itemId, by, ids: world().ids }));
  const typesOf = async (jobId: string): Promise<string[]> =>
    (await world().stores.events.readRun(jobId, 0, 100)).map((event) => event.type);
  const claimed = async (): Promise<Job | undefined> =>
    (await world().stores.jobs.claim(claimOf({ workerId: 'w2' })))[0];

  /** A run at a gate of its own, with one task. */
  async function atGate(
    over: Partial<GateRound> = {},
  ): Promise<{ readonly job: Job; readonly gate: GateRound; readonly task: string }> {
    const job = await insert();
    const gate = gateOf(job.id, over);
    await commit(job, openWrite(openingOf(gate, ['qa'])));
    return { job, gate, task: taskOf(gate, 'qa').id };
  }

  it('wakes a parked job with the decision that it waits for, in one commit', async () => {
    const { job, gate, task } = await atGate();
    await park(job, [gate.gateId]);
    expect(await world().stores.jobs.get(job.id)).toMatchObject({ status: 'deferred', waitingOn: [gate.gateId] });
    expect(await claimed()).toBeUndefined();

    const changed = await decide(job.id, task);

    expect(changed).toMatchObject({
      result: 'decided',
      job: { status: 'queued', waitingOn: [], parkedAt: null, error: null, crashes: 0 },
    });
    expect(changed.events.map(({ type, seq }) => [type, seq])).toEqual([
      ['approval.gate_resolved', 2],
      ['run.resumed', 3],
    ]);
    expect(await typesOf(job.id)).toEqual(['run.parked', 'approval.gate_resolved', 'run.resumed']);
    expect(await claimed()).toMatchObject({ id: job.id, status: 'running', attempt: 2 });
    expect(await claimed()).toBeUndefined();
  });

  it('does not park a run whose gate was decided before, and keeps its lease', async () => {
    const { job, gate, task } = await atGate();
    expect((await decide(job.id, task)).job.status).toBe('running');

    expect(await commit(job, startWrite(stepOf(job.id, 'next')), parkWrite([gate.gateId], world().ids.uuid()))).toEqual(
      [],
    );

    expect(await world().stores.jobs.get(job.id)).toMatchObject({
      status: 'running',
      workerId: 'w1',
      attempt: 1,
      waitingOn: [],
      parkedAt: null,
    });
    expect(await typesOf(job.id)).toEqual(['approval.gate_resolved']);
    expect((await world().stores.runs.load(job.id)).map((row) => row.key)).toContain('next');
    await commit(job, startWrite(stepOf(job.id, 'root/c1')));
  });

  it.each(['approved', 'rejected', 'changes-requested'] as const)(
    'takes a gate that is %s as settled',
    async (status) => {
      const { job, gate } = await atGate();
      await world().stores.reviews.change(job.id, () => ({ ...nothing(null), gates: [{ ...gate, status }] }));

      await park(job, ['something-else', gate.gateId]);

      expect((await world().stores.jobs.get(job.id))?.status).toBe('running');
    },
  );

  it('asks for the newest round of a gate alone', async () => {
    const { job, gate } = await atGate();
    await world().stores.reviews.change(job.id, () => ({
      ...nothing(null),
      gates: [{ ...gate, status: 'changes-requested' }],
    }));
    await commit(job, openWrite(openingOf(gateOf(job.id, { round: 1, sha256: '9'.repeat(64) }), ['qa'])));

    await park(job, [gate.gateId]);

    expect((await world().stores.jobs.get(job.id))?.status).toBe('deferred');
  });

  it('does not park on an item that is settled, and wakes when one is', async () => {
    const [early, late] = [await insert(), await insert()];
    for (const job of [early, late])
      await commit(job, askWrite([itemOf(job.id, `ask-${job.id}`), itemOf(job.id, `other-${job.id}`)]));
    await decide(early.id, `ask-${early.id}`);
    for (const job of [early, late]) await park(job, [`other-${job.id}`, `ask-${job.id}`]);
    expect((await world().stores.jobs.get(early.id))?.status).toBe('running');
    expect((await world().stores.jobs.get(late.id))?.status).toBe('deferred');

    expect((await decide(late.id, `ask-${late.id}`)).job.status).toBe('queued');
  });

  it('parks all the same without auto-resume, and then waits for an explicit resume', async () => {
    const [early, late] = [await atGate(), await atGate()];
    await decide(early.job.id, early.task);
    for (const { job, gate } of [early, late]) await park(job, [gate.gateId], { autoResume: false });
    const changed = await decide(late.job.id, late.task);

    expect(changed.job).toMatchObject({ status: 'deferred', waitingOn: [late.gate.gateId] });
    expect(changed.events.map((event) => event.type)).toEqual(['approval.gate_resolved']);
    expect((await world().stores.reviews.state(late.job.id))?.job).toMatchObject({
      status: 'deferred',
      autoResume: false,
    });
    expect((await world().stores.jobs.get(early.job.id))?.status).toBe('deferred');
    expect(await claimed()).toBeUndefined();
    for (const { job } of [early, late])
      expect((await world().stores.jobs.resume(job.id, resumedEvent(world().ids.uuid()))).status).toBe('queued');
  });

  it('ends a run that parks after a stop as stopped, says nothing of a park, and leaves its gate open', async () => {
    const { job, gate } = await atGate();
    await world().stores.jobs.requestStop(job.id, 'ada', stopEvent(world().ids.uuid()));

    const stored = await park(job, [gate.gateId]);

    expect(stored.map((event) => event.type)).toEqual(['run.parked']);
    expect((await world().stores.jobs.get(job.id))?.status).toBe('stopped');
    expect(await world().stores.reviews.gate(gate.gateId)).toMatchObject({ status: 'pending', withdrawn: false });
  });

  it('wakes nothing that was stopped meanwhile', async () => {
    const { job, gate, task } = await atGate();
    await park(job, [gate.gateId]);
    await world().stores.jobs.requestStop(job.id, 'ada', stopEvent(world().ids.uuid()));

    const changed = await decide(job.id, task);

    expect(changed.job.status).toBe('stopped');
    expect(changed.events.map((event) => event.type)).toEqual(['approval.gate_resolved']);
    expect(await claimed()).toBeUndefined();
  });

  it('lets a run be resumed while its gate is pending: it parks again, and its gate stays as it is', async () => {
    const { job, gate } = await atGate();
    await park(job, [gate.gateId]);
    const again = await world().stores.jobs.resume(job.id, resumedEvent(world().ids.uuid()), claimOf());
    await commit(again, openWrite(openingOf(gate, ['qa'])));

    await park(again, [gate.gateId]);

    expect((await world().stores.jobs.get(job.id))?.status).toBe('deferred');
    expect(await world().stores.reviews.gate(gate.gateId)).toEqual(gate);
  });

  it('wakes a run exactly once for each time it parked, wherever two decisions fall between its steps', async () => {
    const TURNS = 9;
    let cases = 0;
    for (let first = 0; first <= TURNS; first++) {
      for (let second = first; second <= TURNS; second++) {
        for (const order of [
          ['a', 'b'],
          ['b', 'a'],
        ] as const) {
          await follow([first, second], order);
          cases += 1;
        }
      }
    }
    console.log(`decisions before, during and after parking: ${cases} interleavings`);
    expect(cases).toBe(110);

    /**
     * A run at two gates; before each of its turns, and at the end, whatever decision is due falls.
     */
    async function follow(at: readonly [number, number], order: readonly ['a' | 'b', 'a' | 'b']): Promise<void> {
      const where = `${order.join('')} at ${at.join(', ')}`;
      let job = await insert();
      const gates = (['a', 'b'] as const).map((name) =>
        gateOf(job.id, { gateId: `${job.id}:${name}`, agentId: name, activation: `root/${name}` }),
      );
      await commit(job, ...gates.map((gate) => openWrite(openingOf(gate, ['qa']))));
      let [seen, parks, isHeld, isDone]: [readonly string[], number, boolean, boolean] = [[], 0, true, false];
      const turns = [
        // The run looks at its gates, and acts later on what it saw.
        async () => {
          const state = await world().stores.reviews.state(job.id);
          seen = state?.gates.filter((gate) => gate.status === 'pending').map((gate) => gate.gateId) ?? [];
        },
        async () => {
          if (seen.length === 0) {
            isDone = true;
            return;
          }
          const stored = await park(job, seen);
          isHeld = (await world().stores.jobs.get(job.id))?.status === 'running';
          expect(stored.length, where).toBe(isHeld ? 0 : 1);
          if (!isHeld) parks += 1;
        },
      ];
      const turn = async (index: number): Promise<void> => {
        if (isDone) return;
        if (isHeld) return turns[index % 2]?.();
        const taken = await claimed();
        if (taken === undefined) return;
        job = taken;
        isHeld = true;
      };
      for (let index = 0; index <= TURNS; index++) {
        for (const [n, name] of order.entries())
          if (at[n] === index) await decide(job.id, taskOf(gateAt(gates, name), 'qa').id);
        await turn(index);
      }
      for (let index = 0; index < 6 && !isDone; index++) await turn(index);
      expect(isDone, where).toBe(true);
      const types = await typesOf(job.id);
      expect(
        types.filter((type) => type === 'run.parked'),
        where,
      ).toHaveLength(parks);
      expect(
        types.filter((type) => type === 'run.resumed'),
        where,
      ).toHaveLength(parks);
      expect((await world().stores.jobs.get(job.id))?.attempt, where).toBe(1 + parks);
    }
  }, 120_000);

  it('wakes a run once when its park and both decisions are handed in at the same moment, in every order', async () => {
    const orders = [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ];
    for (const order of orders) {
      const job = await insert();
      const gate = gateOf(job.id);
      await commit(job, openWrite(openingOf(gate)));
      const acts = [
        () => park(job, [gate.gateId]),
        () => decide(job.id, taskOf(gate, 'qa').id),
        () => decide(job.id, taskOf(gate, 'ops').id),
      ];

      await Promise.all(order.map((index) => acts[index]?.()));

      const [types, row] = [await typesOf(job.id), await world().stores.jobs.get(job.id)];
      const isParked = types.includes('run.parked');
      expect(
        types.filter((type) => type === 'run.resumed'),
        order.join(),
      ).toHaveLength(isParked ? 1 : 0);
      expect(row?.status, order.join()).toBe(isParked ? 'queued' : 'running');
      expect(await world().stores.reviews.gate(gate.gateId)).toMatchObject({ status: 'approved' });
      const taken = await claimed();
      expect(taken?.id, order.join()).toBe(isParked ? job.id : undefined);
    }
  });
}

function gateAt(gates: readonly GateRound[], name: string): GateRound {
  const gate = gates.find((one) => one.agentId === name);
  if (gate === undefined) throw new Error(`no gate ${name}`);
  return gate;
}
