import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { RecordedDecision, ReviewItem, ReviewState } from '../../../src/domain/gates.js';
import type { Job } from '../../../src/domain/job.js';
import type { RunWrite } from '../../../src/domain/journal.js';
import type { ReviewChange } from '../../../src/domain/ports/reviews.js';
import {
  approve,
  decisionOf,
  gateOf,
  nothing,
  openingOf,
  openWrite,
  parkWrite,
  taskOf,
} from '../../support/review-samples.js';
import {
  claimOf,
  endedEvent,
  fenceOf,
  messageEvent,
  newJob,
  resumedEvent,
  startWrite,
  stepOf,
} from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

/** What people change: one transaction each, nothing rewritten. */
export function reviewLaws(world: World): void {
  const running = (): Promise<Job> => world().stores.jobs.insert(newJob(world().ids.jobId()), 'pending', [], claimOf());
  const commit = (job: Job, ...writes: RunWrite[]) => world().stores.runs.commit(fenceOf(job), writes);
  const change = <T>(job: Job, decide: (state: ReviewState) => ReviewChange<T>) =>
    world().stores.reviews.change(job.id, decide);
  const stateOf = (job: Job): Promise<ReviewState | null> => world().stores.reviews.state(job.id);
  const eventsOf = (job: Job) => world().stores.events.readRun(job.id, 0, 100);

  async function atGate(): Promise<{
    readonly job: Job;
    readonly gate: ReturnType<typeof gateOf>;
    readonly qa: ReviewItem;
    readonly ops: ReviewItem;
  }> {
    const job = await running();
    const gate = gateOf(job.id);
    await commit(job, openWrite(openingOf(gate)));
    return { job, gate, qa: taskOf(gate, 'qa'), ops: taskOf(gate, 'ops') };
  }

  it('shows the decision everything about the job, by the clock of the store, and nothing of another job', async () => {
    const { job, gate, qa, ops } = await atGate();
    const other = await atGate();
    const made = decisionOf(qa, 'decision-1');
    await change(job, () => ({ ...nothing(null), items: [{ ...qa, status: 'approved' }], decisions: [made] }));
    await change(other.job, () => ({ ...nothing(null), decisions: [decisionOf(other.qa, 'decision-2')] }));
    await world().elapse(5000);
    const { result } = await change(job, (state) => nothing(state));

    expect(result).toEqual({
      now: '2026-01-02T03:04:10.000Z',
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
      items: [{ ...qa, status: 'approved' }, ops],
      decisions: [made],
    });
    expect(await stateOf(job)).toEqual(result);
  });

  it('writes gates, items, decisions and events together, and gives each field back across a restart', async () => {
    const { job, gate, qa, ops } = await atGate();
    const after = {
      gate: {
        ...gate,
        status: 'rejected' as const,
        escalatedTo: ['lead'],
        expiresAt: '2026-01-04T00:00:00.000Z',
        remindAt: '2026-01-03T00:00:00.000Z',
        decidedAt: '2026-01-02T09:00:00.000Z',
        withdrawn: true,
      },
      qa: {
        ...qa,
        status: 'changes-requested' as const,
        resolvedBy: 'qa-1\u0000',
        comment: 'no "way"',
        answer: 'x',
        reason: 'again',
        details: { a: null },
        stale: true,
        withdrawn: true,
        escalated: true,
        reopened: 2,
        resolvedAt: '2026-01-02T09:00:00.000Z',
      },
      lead: taskOf(gate, 'lead', { ruleIndex: 1, escalated: true }),
      decision: decisionOf(qa, 'decision-1', {
        outcome: 'changes_requested',
        assurance: 'authenticated',
        carriedFrom: 3,
        signature: null,
      }),
    };

    const changed = await change(job, () => ({
      result: { any: 'thing' },
      gates: [after.gate],
      items: [after.qa, after.lead],
      decisions: [after.decision],
      events: [messageEvent('e-1', 'one'), messageEvent('e-2', 'two')],
      wake: null,
    }));

    expect(changed.result).toEqual({ any: 'thing' });
    expect(changed.job).toEqual(await world().stores.jobs.get(job.id));
    expect(changed.events).toEqual(await eventsOf(job));
    expect(changed.events.map(({ seq, eventId }) => [seq, eventId])).toEqual([
      [1, 'e-1'],
      [2, 'e-2'],
    ]);
    await world().reopen();
    expect(await stateOf(job)).toMatchObject({
      gates: [after.gate],
      items: [after.qa, ops, after.lead],
      decisions: [after.decision],
    });
  });

  it('keeps the chain of the run whole, whoever writes to it', async () => {
    const { job, qa, ops } = await atGate();
    const { ids } = world();
    const say = (text: string, key: string) => startWrite(stepOf(job.id, key), [messageEvent(ids.uuid(), text, key)]);

    await Promise.all([
      commit(job, say('before', 'a')),
      change(job, approve({ itemId: qa.id, by: 'qa-1', ids })),
      commit(job, say('between', 'b')),
      change(job, approve({ itemId: ops.id, by: 'ops-1', ids })),
      commit(job, say('after', 'c')),
    ]);

    const events = await eventsOf(job);
    expect(events.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'executor.message'],
      [2, 'executor.message'],
      [3, 'approval.gate_resolved'],
      [4, 'executor.message'],
    ]);
    expect(events.slice(1).map(({ prevHash }) => prevHash)).toEqual(events.slice(0, -1).map(({ hash }) => hash));
  });

  it('writes nothing of a change that throws, and hinders nobody else', async () => {
    const { job, qa } = await atGate();
    const other = await atGate();
    const { ids } = world();
    const before = [await stateOf(job), await eventsOf(job)];

    const results = await Promise.allSettled([
      change(other.job, approve({ itemId: other.qa.id, by: 'qa-1', ids })),
      change(job, () => {
        throw new Error('not you');
      }),
      change(other.job, approve({ itemId: other.ops.id, by: 'ops-1', ids })),
    ]);

    expect(results).toMatchObject([
      { value: { result: 'recorded' } },
      { reason: { message: 'not you' } },
      { value: { result: 'decided' } },
    ]);
    expect([await stateOf(job), await eventsOf(job)]).toEqual(before);
    expect((await change(job, approve({ itemId: qa.id, by: 'qa-1', ids }))).result).toBe('recorded');
  });

  it('writes no event for a decision that refuses with nothing to say', async () => {
    const { job } = await atGate();
    const before = await eventsOf(job);

    expect(await change(job, () => nothing('refused'))).toMatchObject({
      result: 'refused',
      events: [],
      job: { status: 'running' },
    });

    expect(await eventsOf(job)).toEqual(before);
  });

  it('decides each item once when many resolve it at the same moment', async () => {
    const { job, gate, qa, ops } = await atGate();
    await commit(job, parkWrite([gate.gateId], world().ids.uuid()));
    const { ids } = world();

    const results = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        change(job, approve({ itemId: n % 2 === 0 ? qa.id : ops.id, by: `person-${n}`, ids })),
      ),
    );

    expect(results.map(({ result }) => result).sort()).toEqual(['decided', 'recorded', ...Array(10).fill('refused')]);
    expect((await stateOf(job))?.decisions.map((decision) => decision.itemId)).toEqual([qa.id, ops.id]);
    expect((await eventsOf(job)).map((event) => event.type)).toEqual([
      'run.parked',
      'approval.gate_resolved',
      'run.resumed',
    ]);
    expect((await world().stores.jobs.get(job.id))?.status).toBe('pending');
  });

  it('marks a decision as stale, and changes nothing else of it', async () => {
    const { job, qa } = await atGate();
    const made = decisionOf(qa, 'decision-1');
    await change(job, () => ({ ...nothing(null), decisions: [made] }));

    await change(job, () => ({ ...nothing(null), decisions: [{ ...made, stale: true }] }));
    expect((await stateOf(job))?.decisions).toEqual([{ ...made, stale: true }]);

    const changes: readonly Partial<RecordedDecision>[] = [
      { outcome: 'reject' },
      { comment: '' },
      { person: 'x' },
      { identity: 'x' },
      { sha256: '0'.repeat(64) },
      { at: '' },
      { signature: null },
      { assurance: 'authenticated' },
      { registryDigest: 'x' },
      { itemId: 'x' },
      { carriedFrom: 0 },
    ];
    for (const over of changes) {
      const rewrite = change(job, () => ({ ...nothing(null), decisions: [{ ...made, ...over }] }));
      await expect(rewrite, JSON.stringify(over)).rejects.toMatchObject({ code: 'KIT_INTERNAL' });
    }
    expect((await stateOf(job))?.decisions).toEqual([{ ...made, stale: true }]);
  });

  it('refuses a change that rewrites what was opened, opens a round, ends the run, or names another run', async () => {
    const { job, gate, qa } = await atGate();
    const other = await atGate();
    const before = [await stateOf(job), await stateOf(other.job), await eventsOf(job)];
    const wrong: readonly Partial<ReviewChange<null>>[] = [
      { gates: [{ ...gate, sha256: '0'.repeat(64) }] },
      { gates: [{ ...gate, policyDigest: '0'.repeat(64) }] },
      { gates: [{ ...gate, round: 1 }] },
      { gates: [other.gate] },
      { items: [{ ...qa, role: 'ops' }] },
      { items: [{ ...qa, artifactRef: 'x' }] },
      { items: [other.qa] },
      { decisions: [decisionOf(other.qa, 'd-1')] },
      { events: [endedEvent('e-1')] },
      { wake: endedEvent('e-1') },
    ];

    for (const over of wrong) {
      const refused = change(job, () => ({ ...nothing(null), events: [messageEvent('e-0', 'x')], ...over }));
      await expect(refused, JSON.stringify(over).slice(0, 200)).rejects.toMatchObject({ code: 'KIT_INTERNAL' });
    }

    expect([await stateOf(job), await stateOf(other.job), await eventsOf(job)]).toEqual(before);
  });

  it('wakes only for something that was settled', async () => {
    const { job, gate, qa } = await atGate();
    await commit(job, parkWrite([gate.gateId], world().ids.uuid()));

    expect((await change(job, approve({ itemId: qa.id, by: 'qa-1', ids: world().ids }))).job.status).toBe('deferred');
    const woken = await change(job, () => ({ ...nothing(null), wake: resumedEvent('e-9') }));

    expect(woken).toMatchObject({ job: { status: 'pending' }, events: [{ type: 'run.resumed', eventId: 'e-9' }] });
    expect(await change(job, () => ({ ...nothing(null), wake: resumedEvent('e-10') }))).toMatchObject({
      job: { status: 'pending' },
      events: [],
    });
  });

  it('reads everything about a job as of one moment, while others change it', async () => {
    const { job, gate, qa } = await atGate();
    const CHANGES = 40;
    let isOver = false;
    const changes = async (): Promise<void> => {
      for (let n = 1; n <= CHANGES; n++) {
        await change(job, () => ({
          ...nothing(null),
          gates: [{ ...gate, escalatedTo: [`role-${n}`] }],
          items: [{ ...qa, reason: `role-${n}` }],
        }));
      }
      isOver = true;
    };
    const reads = async (): Promise<void> => {
      while (!isOver) {
        // A read may take no turn of the event loop, and the writes need theirs.
        await setImmediate();
        const state = await stateOf(job);
        expect(state?.items[0]?.reason).toBe(state?.gates[0]?.escalatedTo[0] ?? qa.reason);
      }
    };

    await Promise.all([changes(), reads(), reads()]);

    expect((await stateOf(job))?.items[0]?.reason).toBe(`role-${CHANGES}`);
  });
}
