import { expect, it } from 'vitest';
import type { GateStatus } from '../../../src/domain/gates.js';
import type { Job } from '../../../src/domain/job.js';
import type { RunWrite } from '../../../src/domain/journal.js';
import type { ItemFilter } from '../../../src/domain/ports/reviews.js';
import { askWrite, gateOf, itemOf, nothing, openingOf, openWrite } from '../../support/review-samples.js';
import { claimOf, endedEvent, fenceOf, newJob, runEndWrite } from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

/** How open work is found: lists, prefixes, deadlines. */
export function reviewListLaws(world: World): void {
  const running = (): Promise<Job> => world().stores.jobs.insert(newJob(world().ids.jobId()), 'pending', [], claimOf());
  const commit = (job: Job, ...writes: RunWrite[]) => world().stores.runs.commit(fenceOf(job), writes);
  const ids = async (filter: Partial<ItemFilter>): Promise<readonly string[]> =>
    (await world().stores.reviews.items({ show: 'pending', limit: 100, ...filter })).items.map((item) => item.id);

  /** A run with a gate of two tasks, a question and a permission; short ids. */
  async function busy(): Promise<Job> {
    const job = await running();
    const opening = openingOf(gateOf(job.id));
    const items = opening.items.map((item) => ({ ...item, id: `${job.id}-${item.role}` }));
    await commit(job, openWrite({ ...opening, items }));
    await commit(
      job,
      askWrite([
        itemOf(job.id, `${job.id}-input`, { kind: 'input' }),
        itemOf(job.id, `${job.id}-may`, { kind: 'permission' }),
      ]),
    );
    return job;
  }

  it('lists items oldest first, narrowed by every field of the filter', async () => {
    const [a, b] = [await busy(), await busy()];
    const of = (job: Job, ...names: string[]): string[] => names.map((name) => `${job.id}-${name}`);
    const all = [...of(a, 'qa', 'ops', 'input', 'may'), ...of(b, 'qa', 'ops', 'input', 'may')];

    expect(await ids({})).toEqual(all);
    expect(await ids({ show: 'all' })).toEqual(all);
    expect(await ids({ kind: 'role_task' })).toEqual([...of(a, 'qa', 'ops'), ...of(b, 'qa', 'ops')]);
    expect(await ids({ kind: 'other' })).toEqual([]);
    expect(await ids({ jobId: b.id })).toEqual(of(b, 'qa', 'ops', 'input', 'may'));
    expect(await ids({ gateId: `${a.id}:writer` })).toEqual(of(a, 'qa', 'ops'));
    expect(await ids({ roles: ['ops', 'lead'] })).toEqual([
      ...of(a, 'ops', 'input', 'may'),
      ...of(b, 'ops', 'input', 'may'),
    ]);
    expect(await ids({ topologies: ['no-such'] })).toEqual([]);
    expect(
      await ids({ topologies: [(await world().stores.reviews.item(`${a.id}-qa`))?.topologyId ?? '', 'no-such'] }),
    ).toEqual(await ids({}));
    expect(await ids({ roles: [] })).toEqual([...of(a, 'input', 'may'), ...of(b, 'input', 'may')]);
    expect(await ids({ roles: ['qa'], kind: 'role_task', jobId: b.id, gateId: `${b.id}:writer` })).toEqual(of(b, 'qa'));
  });

  it('shows as pending what is neither resolved nor stale nor withdrawn', async () => {
    const job = await busy();
    const { reviews } = world().stores;
    const marks = { qa: { stale: true }, ops: { status: 'approved' as GateStatus }, input: { withdrawn: true } };
    for (const [name, over] of Object.entries(marks)) {
      const item = await reviews.item(`${job.id}-${name}`);
      if (item !== null) await reviews.change(job.id, () => ({ ...nothing(null), items: [{ ...item, ...over }] }));
    }

    expect(await reviews.items({ show: 'pending', limit: 10 })).toMatchObject({
      items: [{ id: `${job.id}-may` }],
      hasMore: false,
      total: 1,
    });
    expect(await reviews.items({ show: 'all', limit: 10 })).toMatchObject({ hasMore: false, total: 4 });
  });

  it('shows nothing of a stopped run as pending but to whoever names the run or the gate', async () => {
    const [stopped, other] = [await busy(), await busy()];
    const ended = endedEvent(world().ids.uuid(), 'stopped');
    await commit(stopped, runEndWrite([ended], { status: 'stopped', output: null }));
    const theirs = ['qa', 'ops', 'input', 'may'];

    expect(await world().stores.reviews.items({ show: 'pending', limit: 10 })).toMatchObject({
      items: theirs.map((name) => ({ id: `${other.id}-${name}` })),
      total: 4,
    });
    expect(await ids({ jobId: stopped.id })).toEqual(theirs.map((name) => `${stopped.id}-${name}`));
    expect(await ids({ gateId: `${stopped.id}:writer` })).toEqual([`${stopped.id}-qa`, `${stopped.id}-ops`]);
    expect(await ids({ show: 'all' })).toHaveLength(8);
  });

  it('pages through items and counts all of them on each page', async () => {
    for (let n = 0; n < 3; n++) await busy();
    const seen: string[] = [];
    const totals: number[] = [];
    for (let afterId: string | undefined, more = true; more; ) {
      const page = await world().stores.reviews.items({
        show: 'pending',
        limit: 5,
        ...(afterId === undefined ? {} : { afterId }),
      });
      seen.push(...page.items.map((item) => item.id));
      totals.push(page.total);
      afterId = page.items.at(-1)?.id;
      more = page.hasMore;
    }

    expect(totals).toEqual([12, 12, 12]);
    expect(seen).toEqual(await ids({}));
    expect(await world().stores.reviews.items({ show: 'pending', limit: 5, afterId: 'nobody' })).toEqual({
      items: [],
      hasMore: false,
      total: 12,
    });
  });

  it('finds ids by their beginning, and takes no character of it for a pattern', async () => {
    const job = await running();
    const asked = ['ask-1', 'ask-2', 'ask_3', 'other', 'ask-%'].map((id) => itemOf(job.id, id));
    const [first, ...rest] = asked;
    if (first === undefined) throw new Error('nothing asked');
    await commit(job, askWrite([first, ...rest]));
    const { reviews } = world().stores;

    expect(await reviews.itemIds('ask-', 10)).toEqual(['ask-%', 'ask-1', 'ask-2']);
    expect(await reviews.itemIds('ask-', 2)).toEqual(['ask-%', 'ask-1']);
    expect(await reviews.itemIds('%', 10)).toEqual([]);
    expect(await reviews.itemIds('ask-2', 10)).toEqual(['ask-2']);
    expect(await reviews.itemIds('', 10)).toHaveLength(5);
  });

  it('lists gates oldest first by the state of their newest round, in pages', async () => {
    const jobs = [await running(), await running(), await running(), await running()];
    for (const job of jobs) await commit(job, openWrite(openingOf(gateOf(job.id))));
    const { reviews } = world().stores;
    const [a, b, c, d] = jobs.map((job) => gateOf(job.id));
    if (a === undefined || b === undefined || c === undefined || d === undefined || jobs[1] === undefined)
      throw new Error('four gates');
    await reviews.change(b.jobId, () => ({ ...nothing(null), gates: [{ ...b, status: 'changes-requested' }] }));
    await reviews.change(c.jobId, () => ({ ...nothing(null), gates: [{ ...c, status: 'changes-requested' }] }));
    await reviews.change(d.jobId, () => ({ ...nothing(null), gates: [{ ...d, withdrawn: true }] }));
    await commit(jobs[1], openWrite(openingOf(gateOf(b.jobId, { round: 1, sha256: '9'.repeat(64) }))));
    const open = async (filter: { status?: GateStatus; afterId?: string; limit?: number }) =>
      (await reviews.openGates({ limit: 10, ...filter })).map((gate) => [gate.gateId, gate.round]);

    expect(await open({})).toEqual([
      [a.gateId, 0],
      [b.gateId, 1],
    ]);
    expect(await open({ status: 'pending', limit: 1 })).toEqual([[a.gateId, 0]]);
    expect(await open({ afterId: a.gateId })).toEqual([[b.gateId, 1]]);
    expect(await open({ afterId: 'nobody' })).toEqual([]);
    expect(await open({ status: 'changes-requested' })).toEqual([[c.gateId, 0]]);
    expect(await open({ status: 'approved' })).toEqual([]);
  });

  it('tells deadlines once they are due by the clock of the store, the earliest first, until the gate moves them', async () => {
    const [a, b] = [await running(), await running()];
    const gate = gateOf(a.id, { remindAt: '2026-01-02T03:05:00.000Z', expiresAt: '2026-01-02T03:10:00.000Z' });
    const other = gateOf(b.id, { expiresAt: '2026-01-02T03:06:00.000Z' });
    await commit(a, openWrite(openingOf(gate)));
    await commit(b, openWrite(openingOf(other)));
    const { reviews } = world().stores;
    const due = async (limit = 10, jobId?: string) =>
      (await reviews.dueTimers(limit, jobId)).map((timer) => [timer.gateId, timer.kind, timer.dueAt]);
    expect(await due()).toEqual([]);

    await world().elapse(10 * 60_000);
    const reminder = [gate.gateId, 'gate.reminder', gate.remindAt];
    const expiry = [gate.gateId, 'gate.expiry', gate.expiresAt];
    expect(await due()).toEqual([reminder, [other.gateId, 'gate.expiry', other.expiresAt], expiry]);
    expect(await due(1)).toEqual([reminder]);
    expect(await due(10, a.id)).toEqual([reminder, expiry]);
    expect((await reviews.dueTimers(1))[0]).toMatchObject({ jobId: a.id, round: 0 });

    await reviews.change(a.id, () => ({ ...nothing(null), gates: [{ ...gate, remindAt: null }] }));
    expect(await due(10, a.id)).toEqual([expiry]);
    const later = '2026-01-02T03:30:00.000Z';
    await reviews.change(a.id, () => ({
      ...nothing(null),
      gates: [{ ...gate, remindAt: null, expiresAt: later, escalatedTo: ['lead'] }],
    }));
    expect(await due(10, a.id)).toEqual([]);
    await reviews.change(b.id, () => ({ ...nothing(null), gates: [{ ...other, status: 'rejected' }] }));
    expect(await due()).toEqual([]);
    await world().elapse(30 * 60_000);
    expect(await due()).toEqual([[gate.gateId, 'gate.expiry', later]]);
  });
}
