import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LOCAL_AUTH } from '../../../src/domain/gates.js';
import { openReviewWorld, POLICY, type ReviewWorld, refusalOf } from '../../support/review-world.js';

const workspace = '/nowhere';
let world: ReviewWorld;
beforeEach(async () => {
  world = await openReviewWorld();
});
afterEach(() => world.dispose());

const taskOf = (gateId: string, role: string, round = 0): string =>
  `mpa-${gateId}-0-${role}${round === 0 ? '' : `-r${round}`}`;
const resolve = (item: string, identity: string, outcome = 'approve', comment = '') =>
  world.app.resolve({ workspace, item, identity, auth: LOCAL_AUTH, outcome, comment });
const list = (over: Partial<Parameters<ReviewWorld['app']['list']>[0]> = {}) =>
  world.app.list({ workspace, kind: null, gate: null, show: 'pending', limit: 50, afterId: null, ...over });

describe('the list', () => {
  it('holds what waits, narrows by kind and gate, and pages on', async () => {
    const first = await world.parked();
    const second = await world.parked();
    const job = await world.run();
    const question = await world.ask(job, { kind: 'input' });
    expect((await list()).total).toBe(5);
    expect((await list({ kind: 'input' })).items.map((item) => item.id)).toEqual([question.id]);
    expect((await list({ gate: second.gate.gateId })).items.map((item) => item.role)).toEqual(['qa', 'ops']);
    const page = await list({ limit: 2 });
    expect(page).toMatchObject({ hasMore: true, total: 5 });
    expect(page.items.every((item) => item.gateId === first.gate.gateId)).toBe(true);
    expect((await list({ limit: 50, afterId: page.items[1]?.id ?? '' })).items).toHaveLength(3);
    await resolve(taskOf(first.gate.gateId, 'qa'), 'qa-1');
    expect((await list()).total).toBe(4);
    expect((await list({ show: 'all' })).total).toBe(5);
  });

  it('is empty where nothing was ever run, and refuses a gate or an item that is not there', async () => {
    expect((await list()).items).toEqual([]);
    expect((await refusalOf(list({ gate: 'x:y' }))).code).toBe('KIT_GATE_UNKNOWN');
    expect((await refusalOf(list({ afterId: 'x' }))).code).toBe('KIT_ITEM_UNKNOWN');
    const { gate } = await world.parked();
    expect(
      (await refusalOf(world.app.gate({ workspace, gate: gate.gateId.replace('writer', 'wrter'), author: null }))).hint,
    ).toBe(`Did you mean ${gate.gateId}?`);
    const misspelt = taskOf(gate.gateId, 'qa').replace('writer', 'wrter');
    expect((await refusalOf(world.app.show({ workspace, item: misspelt }))).hint).toBe(
      `Did you mean ${taskOf(gate.gateId, 'qa')}?`,
    );
    const none = await openReviewWorld({ openStores: async () => null });
    expect(await none.app.list({ workspace, kind: null, gate: null, show: 'all', limit: 5, afterId: null })).toEqual({
      items: [],
      elsewhere: [],
      hasMore: false,
      total: 0,
      asked: new Map(),
    });
    expect((await refusalOf(none.app.show({ workspace, item: 'x' }))).code).toBe('KIT_ITEM_UNKNOWN');
    expect((await refusalOf(none.app.gate({ workspace, gate: 'x:y', author: null }))).code).toBe('KIT_GATE_UNKNOWN');
    expect((await refusalOf(none.app.why({ workspace, what: 'abc' }))).code).toBe('KIT_JOB_UNKNOWN');
    await none.dispose();
  });
});

describe('a gate', () => {
  it('tells everything that an entry point shows, with its item', async () => {
    const { job, gate } = await world.parked({
      evidence: { escalated: true, critique: 'too long', failedLayers: ['judge'], retries: 2 },
    });
    const shown = await world.app.show({ workspace, item: taskOf(gate.gateId, 'qa') });
    expect(shown).toMatchObject({ item: { role: 'qa', escalated: true }, job: { id: job.id } });
    expect(shown.gate).toMatchObject({
      gateId: gate.gateId,
      runId: job.id,
      round: 0,
      status: 'pending',
      resolved: false,
      quorumEvaluated: true,
      outstanding: ['qa (release:sign)', 'ops (release:sign)'],
      stuck: [],
      excludeAuthor: true,
      excludeAuthorUnapplied: false,
      author: { identity: 'dana', identified: true, note: null },
      evidence: { critique: 'too long' },
    });
  });

  it('says why a task can no longer be completed once the registry leaves nobody', async () => {
    const { job, gate } = await world.parked();
    world.registry.roles = world.registry.roles.map((role) => (role.id === 'ops' ? { ...role, members: [] } : role));
    const details = await world.app.gate({ workspace, gate: gate.gateId, author: null });
    expect(details.stuck.join()).toContain('the role ops has no member');
    const report = await world.app.why({ workspace, what: job.id });
    expect(report.reasons.join('\n')).toMatch(
      /waits for .*:writer[\s\S]*qa-1 or qa-2[\s\S]*is stuck: .*ops has no member/,
    );
  });

  it('can be looked at as if another person had submitted the run, which decides nothing', async () => {
    const { gate } = await world.parked();
    const as = await world.app.gate({ workspace, gate: gate.gateId, author: 'qa-1' });
    expect(as.actors.find((actor) => actor.role === 'qa')?.members).toEqual(['qa-2']);
    await resolve(taskOf(gate.gateId, 'qa'), 'qa-1');
    expect((await refusalOf(world.app.gate({ workspace, gate: 'nothing', author: null }))).code).toBe(
      'KIT_GATE_UNKNOWN',
    );
  });
});

describe('why', () => {
  it('answers for a gate as for its run, and for a prefix of a run', async () => {
    const { job, gate } = await world.parked();
    const byGate = await world.app.why({ workspace, what: gate.gateId });
    expect(byGate.gates.map((one) => one.gateId)).toEqual([gate.gateId]);
    expect((await world.app.why({ workspace, what: job.id.slice(0, 11) })).job.id).toBe(job.id);
    expect((await refusalOf(world.app.why({ workspace, what: 'x:y' }))).code).toBe('KIT_GATE_UNKNOWN');
    expect((await refusalOf(world.app.why({ workspace, what: 'nope' }))).code).toBe('KIT_JOB_UNKNOWN');
  });

  it('says that a run with gates.auto_resume off waits for a resume', async () => {
    const job = await world.run();
    const gate = await world.open(job);
    await world.park(job, [gate.gateId], false);
    expect((await world.app.why({ workspace, what: job.id })).reasons[0]).toContain('auto_resume is off');
    await resolve(taskOf(gate.gateId, 'qa'), 'qa-1');
    await resolve(taskOf(gate.gateId, 'ops'), 'ops-1');
    expect((await world.sqlite.stores.jobs.get(job.id))?.status).toBe('deferred');
    const late = await refusalOf(world.app.show({ workspace, item: job.id }));
    expect(late.message).toBe(
      `nothing of ${job.id} waits for a decision any more: ${taskOf(gate.gateId, 'ops')} is approved, by ops-1`,
    );
  });
});

describe('the inbox', () => {
  const inbox = (identity: string, limit = 20, afterId: string | null = null) =>
    world.app.inbox({ workspace, identity, limit, afterId });

  it('holds the tasks of one person under any of their names, and items that are not role tasks', async () => {
    const { gate } = await world.parked({
      evidence: { judge: { skill: 'fit', verdict: 'pass', confidence: 0.9, reasoning: 'good' } },
    });
    const job = await world.run();
    const question = await world.ask(job);
    const page = await inbox('quinn@example.org');
    expect(page).toMatchObject({ roles: ['qa'], total: 2, hasMore: false });
    expect(page.rows.map((row) => row.item.id)).toEqual([taskOf(gate.gateId, 'qa'), question.id]);
    expect(page.rows[0]).toMatchObject({
      gate: { judgeScore: 0.9, escalated: false },
      asked: { you: { canDecide: true, whyNot: null } },
    });
    expect((await inbox('mallory')).rows.map((row) => row.item.id)).toEqual([question.id]);
  });

  it('says why a task is not for them after all', async () => {
    const job = await world.run({ submittedBy: { identity: 'qa-1', assurance: 'authenticated' } });
    await world.open(job);
    expect((await inbox('qa-1')).rows[0]?.asked.you?.whyNot).toContain('submitted the run');
    expect((await inbox('qa-2')).rows[0]?.asked.you).toEqual({ canDecide: true, whyNot: null });
  });

  it('says of a task that others made needless who asked for changes', async () => {
    const { job, gate } = await world.parked();
    await resolve(taskOf(gate.gateId, 'qa'), 'qa-1', 'changes_requested', 'name the test');

    const { reasons } = await world.app.why({ workspace, what: job.id });

    expect(reasons).toContain(
      `item ${taskOf(gate.gateId, 'ops')} of writer was withdrawn: qa-1 asked for changes; writer works on them, and the gate asks anew`,
    );
  });

  it('shows an item with its artifact, and with what this person decided about the one before', async () => {
    const job = await world.run();
    const gate = await world.open(job, { text: 'first draft' });
    await resolve(taskOf(gate.gateId, 'qa'), 'qa-1', 'changes_requested', 'name the test');
    await world.open(job, { text: 'second draft' });
    const item = await world.app.inboxItem({ workspace, identity: 'qa-1', item: taskOf(gate.gateId, 'qa', 1) });
    expect(item).toMatchObject({
      artifact: { text: 'second draft', mediaType: 'text/plain', sizeBytes: 12 },
      previous: {
        decision: { outcome: 'changes_requested', comment: 'name the test', round: 0 },
        artifact: { text: 'first draft' },
      },
      details: { round: 1, status: 'pending' },
      harnessDiff: null,
      asked: { you: { canDecide: true } },
    });
    const other = await world.app.inboxItem({ workspace, identity: 'ops-1', item: taskOf(gate.gateId, 'ops', 1) });
    expect(other.previous).toBeNull();
    // Who comes by an old link learns which task took its place.
    const old = await world.app.inboxItem({ workspace, identity: 'qa-1', item: taskOf(gate.gateId, 'qa') });
    expect(old.asked.you?.whyNot).toBe(
      `it is changes-requested already, by qa-1; the open task is ${taskOf(gate.gateId, 'qa', 1)}`,
    );
  });

  it('says that an artifact is not text instead of showing bytes', async () => {
    const { gate } = await world.parked({ text: new Uint8Array([0xff, 0xfe, 0x00]) });
    const item = await world.app.inboxItem({ workspace, identity: 'qa-1', item: taskOf(gate.gateId, 'qa') });
    expect(item.artifact).toMatchObject({ text: null, sizeBytes: 3 });
  });

  it('pages by the last item', async () => {
    for (let at = 0; at < 3; at += 1)
      await world.parked({ policy: { ...POLICY, rules: POLICY.rules.map((rule) => ({ ...rule, roles: ['qa'] })) } });
    const first = await inbox('qa-1', 2);
    expect(first).toMatchObject({ hasMore: true, total: 3 });
    const rest = await inbox('qa-1', 2, first.rows[1]?.item.id ?? null);
    expect(rest.rows).toHaveLength(1);
  });
});
