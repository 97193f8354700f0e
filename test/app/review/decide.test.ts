import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KitError } from '../../../src/domain/errors.js';
import { LOCAL_AUTH } from '../../../src/domain/gates.js';
import { openReviewWorld, POLICY, type ReviewWorld, refusalOf } from '../../support/review-world.js';

const workspace = '/nowhere';
let world: ReviewWorld;
beforeEach(async () => {
  world = await openReviewWorld();
});
afterEach(() => world.dispose());

const taskOf = (gateId: string, role: string): string => `mpa-${gateId}-0-${role}`;
const resolve = (item: string, identity: string, outcome = 'approve', comment = '') =>
  world.app.resolve({ workspace, item, identity, auth: LOCAL_AUTH, outcome, comment });
const statusOf = async (jobId: string) => (await world.sqlite.stores.jobs.get(jobId))?.status;

describe('deciding a role task', () => {
  it('records each decision and wakes the run with the last one that the gate needs', async () => {
    const { job, gate } = await world.parked();
    const first = await resolve(taskOf(gate.gateId, 'qa'), 'qa-1', 'approve', 'fine');
    expect(first).toMatchObject({
      item: { status: 'approved', resolvedBy: 'qa-1', comment: 'fine' },
      gate: {
        status: 'pending',
        outstanding: ['ops (release:sign)'],
        actors: [{ role: 'ops', members: ['ops-1', 'both'] }],
      },
      unchanged: false,
      job: { status: 'deferred' },
    });
    const second = await resolve(taskOf(gate.gateId, 'ops'), 'ops-1');
    expect(second).toMatchObject({
      gate: { status: 'approved', resolved: true, distinctApprovers: ['qa-1', 'ops-1'] },
      job: { status: 'pending' },
    });
    expect((await world.typesOf(job.id)).slice(-4)).toEqual([
      'approval.role_task_resolved',
      'hitl.resolved',
      'approval.gate_resolved',
      'run.resumed',
    ]);
    expect(second.seq).toBe((await world.typesOf(job.id)).length);
  });

  it('takes a unique prefix of an item, and names the candidates of an ambiguous one', async () => {
    const { gate } = await world.parked();
    expect((await resolve(taskOf(gate.gateId, 'q'), 'qa-1')).item.id).toBe(taskOf(gate.gateId, 'qa'));
    const ambiguous = await refusalOf(resolve('mpa-', 'qa-1'));
    expect(ambiguous.code).toBe('KIT_ITEM_AMBIGUOUS');
    expect(ambiguous.message).toContain(taskOf(gate.gateId, 'ops'));
    expect((await refusalOf(resolve('nothing', 'qa-1'))).code).toBe('KIT_ITEM_UNKNOWN');
    expect((await refusalOf(resolve('', 'qa-1'))).code).toBe('KIT_ITEM_UNKNOWN');
  });

  it('keeps the registry by which a decision was allowed, under the digest that the decision names', async () => {
    const { gate } = await world.parked();
    const { decision } = await resolve(taskOf(gate.gateId, 'qa'), 'qa-1');
    const kept = await world.sqlite.stores.blobs.get(decision?.registryDigest ?? '');
    expect(JSON.parse(Buffer.from(kept ?? []).toString())).toEqual({
      roles: world.registry.roles,
      identities: world.registry.identities,
    });
  });

  it('reads the registry at each decision: who left a role cannot sign any more, and what was signed stays', async () => {
    const { gate } = await world.parked();
    await resolve(taskOf(gate.gateId, 'qa'), 'qa-1');
    world.registry.roles = world.registry.roles.map((role) => ({
      ...role,
      members: role.id === 'ops' ? ['new-ops'] : [],
    }));
    const refused = await refusalOf(resolve(taskOf(gate.gateId, 'ops'), 'ops-1'));
    expect(refused.code).toBe('KIT_APPROVAL_DENIED');
    expect((await resolve(taskOf(gate.gateId, 'ops'), 'new-ops')).gate?.status).toBe('approved');
  });

  it.each([
    ['somebody in no role', 'mallory', '"mallory" is in no role'],
    ['a member of another role', 'ops-1', '"ops-1" is not a member of the role "qa"'],
  ])('refuses %s, says who can, and leaves the task open with the attempt in the log', async (_who, identity, why) => {
    const { job, gate } = await world.parked();
    const before = await world.typesOf(job.id);
    const refused = await refusalOf(resolve(taskOf(gate.gateId, 'qa'), identity));
    expect(refused).toMatchObject({ code: 'KIT_APPROVAL_DENIED', message: expect.stringContaining(why) });
    expect(refused.hint).toBe(`qa-1 or qa-2 can: kit review resolve ${taskOf(gate.gateId, 'qa')} --as qa-1 --approve`);
    expect(await world.typesOf(job.id)).toEqual([...before, 'approval.role_task_resolved']);
    expect(await world.sqlite.stores.reviews.item(taskOf(gate.gateId, 'qa'))).toMatchObject({
      status: 'pending',
      resolvedBy: '',
    });
  });

  it('refuses the author under any of their names', async () => {
    const job = await world.run({ submittedBy: { identity: 'quinn@example.org', assurance: 'authenticated' } });
    const gate = await world.open(job);
    const refused = await refusalOf(resolve(taskOf(gate.gateId, 'qa'), 'qa-1'));
    expect(refused.message).toContain('submitted the run');
    expect(refused.hint).toContain('qa-2 can');
  });

  it('changes nothing when the same person decides the same again, and refuses somebody else with 409', async () => {
    const { gate } = await world.parked();
    await resolve(taskOf(gate.gateId, 'qa'), 'qa-1');
    expect(await resolve(taskOf(gate.gateId, 'qa'), 'quinn@example.org')).toMatchObject({
      unchanged: true,
      item: { resolvedBy: 'qa-1' },
    });
    const late = await refusalOf(resolve(taskOf(gate.gateId, 'qa'), 'qa-2'));
    expect(late).toMatchObject({
      code: 'KIT_ALREADY_DECIDED',
      hint: expect.stringContaining(`kit review gate ${gate.gateId}`),
    });
  });

  it.each([
    ['reject', 'reject', 'rejected'],
    ['requested changes', 'changes_requested', 'changes-requested'],
    ['requested changes in the other spelling', 'changes-requested', 'changes-requested'],
  ])('wakes the run with a %s', async (_what, outcome, status) => {
    const { job, gate } = await world.parked();
    expect((await resolve(taskOf(gate.gateId, 'qa'), 'qa-1', outcome, 'not so')).gate?.status).toBe(status);
    expect(await statusOf(job.id)).toBe('pending');
  });

  it('refuses an outcome that is none, and changes without a comment', async () => {
    const { gate } = await world.parked();
    expect((await refusalOf(resolve(taskOf(gate.gateId, 'qa'), 'qa-1', 'maybe'))).code).toBe('KIT_OUTCOME_INVALID');
    expect((await refusalOf(resolve(taskOf(gate.gateId, 'qa'), 'qa-1', 'changes_requested', '  '))).code).toBe(
      'KIT_COMMENT_MISSING',
    );
    expect(await world.sqlite.stores.reviews.item(taskOf(gate.gateId, 'qa'))).toMatchObject({ status: 'pending' });
  });

  it('decides nothing while the role files are broken', async () => {
    const { job, gate } = await world.parked();
    const before = await world.typesOf(job.id);
    world.breakRoles(new KitError('KIT_WORKSPACE_INVALID', 'roles/a.yaml is broken'));
    expect((await refusalOf(resolve(taskOf(gate.gateId, 'qa'), 'qa-1'))).code).toBe('KIT_WORKSPACE_INVALID');
    expect(await world.typesOf(job.id)).toEqual(before);
  });

  it('decides nothing while the run is stopped', async () => {
    const { job, gate } = await world.parked();
    await world.sqlite.stores.jobs.requestStop(job.id, 'dana', {
      type: 'run.stopped',
      payload: { requested_by: 'dana', at: new Date().toISOString() },
      eventId: world.sqlite.ids.uuid(),
      timestamp: new Date().toISOString(),
      topologyId: 'review',
      agentId: null,
      skillId: null,
      stepKey: null,
    });
    const refused = await refusalOf(resolve(taskOf(gate.gateId, 'qa'), 'qa-1'));
    expect(refused).toMatchObject({ code: 'KIT_ALREADY_DECIDED', hint: expect.stringContaining(`--resume=${job.id}`) });
  });

  it('signs each decision where a key is there', async () => {
    const signed: string[] = [];
    const signer = async () => (body: string) => {
      signed.push(body);
      return { keyId: 'k', publicKey: 'p', value: 'v' };
    };
    const other = await openReviewWorld({ signer });
    try {
      const { gate } = await other.parked();
      const { decision } = await other.app.resolve({
        workspace,
        item: taskOf(gate.gateId, 'qa'),
        identity: 'qa-1',
        auth: LOCAL_AUTH,
        outcome: 'approve',
        comment: '',
      });
      expect(decision?.signature).toEqual({ keyId: 'k', publicKey: 'p', value: 'v' });
      expect(JSON.parse(signed[0] ?? '')).toMatchObject({ identity: 'qa-1', outcome: 'approve', sha256: gate.sha256 });
    } finally {
      await other.dispose();
    }
  });
});

describe('deadlines', () => {
  const expiring = {
    ...POLICY,
    expiry: { afterMs: 3_600_000, remindBeforeMs: 600_000, action: 'reject' as const, escalateTo: [] },
  };

  it('reminds once when somebody looks, and rejects at the next look after the instant', async () => {
    const { job, gate } = await world.parked({ policy: expiring });
    world.elapse(3_100_000);
    await world.app.list({ workspace, kind: null, gate: null, show: 'pending', limit: 10, afterId: null });
    await world.app.gate({ workspace, gate: gate.gateId, author: null });
    expect((await world.typesOf(job.id)).filter((type) => type === 'approval.reminder')).toHaveLength(1);
    world.elapse(600_000);
    expect(await world.app.gate({ workspace, gate: gate.gateId, author: null })).toMatchObject({
      status: 'rejected',
      resolved: true,
    });
    expect(await statusOf(job.id)).toBe('pending');
    expect(await world.typesOf(job.id)).toContain('approval.expired');
    expect((await refusalOf(world.app.show({ workspace, item: job.id }))).message).toBe(
      `nothing of ${job.id} waits for a decision any more: gate ${gate.gateId} was not decided in time, it expired at ${gate.expiresAt}`,
    );
  });

  it('refuses a decision at the instant although nobody has looked since', async () => {
    const { gate } = await world.parked({ policy: expiring });
    world.elapse(3_600_000);
    const refused = await refusalOf(resolve(taskOf(gate.gateId, 'qa'), 'qa-1'));
    expect(refused.code).toBe('KIT_GATE_EXPIRED');
    expect(
      (await world.app.list({ workspace, kind: null, gate: null, show: 'pending', limit: 10, afterId: null })).items,
    ).toEqual([]);
  });

  it('hands an expired gate to the roles of escalate_to, and starts the clock once more', async () => {
    const policy = { ...POLICY, expiry: { ...expiring.expiry, action: 'escalate' as const, escalateTo: ['lead'] } };
    const { gate } = await world.parked({ policy });
    world.elapse(3_600_000);
    const details = await world.app.gate({ workspace, gate: gate.gateId, author: null });
    expect(details).toMatchObject({ status: 'pending', escalatedTo: ['lead'] });
    expect(details.actors.map(({ role, members }) => [role, members])).toContainEqual(['lead', ['boss']]);
    expect(details.expiresAt).toBe(new Date(Date.parse(gate.openedAt) + 7_200_000).toISOString());
  });
});

describe('settling another item', () => {
  const answer = (item: string, action: 'approve' | 'reject' | 'answer', text: string | null = null) =>
    world.app.answer({ workspace, item, action, answer: text, comment: '', identity: 'cli:ada', auth: LOCAL_AUTH });

  it('wakes the run with the answer, chosen by its number', async () => {
    const job = await world.run();
    const item = await world.ask(job, { kind: 'input' });
    await world.park(job, [item.id]);
    expect(await answer(item.id, 'answer', '1')).toMatchObject({
      item: { status: 'approved', answer: 'no' },
      gate: null,
      job: { status: 'pending' },
    });
    expect(await refusalOf(answer(item.id, 'answer', '0'))).toMatchObject({
      code: 'KIT_ALREADY_DECIDED',
      hint: expect.stringContaining(`kit review show ${item.id}`),
    });
  });

  it('refuses an answer that is none of the options where no other is taken', async () => {
    const job = await world.run();
    const item = await world.ask(job, { kind: 'input', freeTextAllowed: false });
    expect(await refusalOf(answer(item.id, 'answer', 'perhaps'))).toMatchObject({
      code: 'KIT_OUTCOME_INVALID',
      hint: expect.stringContaining('0 yes, 1 no'),
    });
  });

  it.each(['approve', 'reject', 'answer'] as const)(
    'refuses to %s a role task without a name, and writes nothing',
    async (action) => {
      const { job, gate } = await world.parked();
      const before = await world.typesOf(job.id);
      const refused = await refusalOf(answer(taskOf(gate.gateId, 'qa'), action, action === 'answer' ? 'yes' : null));
      expect(refused).toMatchObject({ code: 'KIT_ROLE_TASK', hint: expect.stringContaining('kit review resolve') });
      expect(await world.typesOf(job.id)).toEqual(before);
    },
  );

  it('refuses to resolve an item that is not a role task', async () => {
    const job = await world.run();
    const item = await world.ask(job);
    expect(await refusalOf(resolve(item.id, 'qa-1'))).toMatchObject({
      code: 'KIT_APPROVAL_DENIED',
      message: expect.stringContaining('not a role task'),
    });
  });
});
