import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gateWithBytes } from '../../../support/gate-with-bytes.js';
import { type Answer, openReviewServer, type ReviewServer } from '../../../support/http/review-server.js';
import { as } from '../../../support/http/serve-group.js';
import { openingOf, openWrite } from '../../../support/review-samples.js';
import { AUTHOR, POLICY } from '../../../support/review-world.js';
import { fenceOf } from '../../../support/store-samples.js';

let desk: ReviewServer;
beforeEach(async () => {
  desk = await openReviewServer();
});
afterEach(() => desk.world.dispose());

const task = (gateId: string, role: string): string => `mpa-${gateId}-0-${role}`;
const url = (id: string, action = 'resolve'): string => `/review/${encodeURIComponent(id)}/${action}`;

describe('the order in which a decision is refused', () => {
  it.each<readonly [string, () => Promise<string>, object, string, number, string]>([
    ['an unknown item before a missing outcome', async () => 'nothing', {}, 'stranger', 404, 'item-unknown'],
    ['an unknown outcome before the caller', waitingTask, { outcome: 'maybe' }, 'stranger', 422, 'outcome-invalid'],
    ['a missing outcome', waitingTask, {}, 'stranger', 422, 'outcome-invalid'],
    [
      'changes without a comment before the caller',
      waitingTask,
      { outcome: 'changes_requested' },
      'stranger',
      422,
      'comment-missing',
    ],
    [
      'a caller without any role before the kind of the item',
      waitingQuestion,
      { outcome: 'approve' },
      'stranger',
      403,
      'approval-denied',
    ],
    ['an item that is not a role task', waitingQuestion, { outcome: 'approve' }, 'qa-1', 403, 'approval-denied'],
    [
      'a caller of another role before what is decided already',
      decidedTask,
      { outcome: 'reject' },
      'ops-1',
      403,
      'approval-denied',
    ],
    [
      'the author before what is decided already',
      decidedTaskOfAuthor,
      { outcome: 'reject' },
      'qa-2',
      403,
      'approval-denied',
    ],
    ['what is decided already', decidedTask, { outcome: 'reject' }, 'qa-2', 409, 'already-decided'],
  ])('%s', async (_name, prepare, body, client, status, code) => {
    const id = await prepare();
    const answer: Answer = await desk.post(url(id), body, client);
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
  });

  it('tells the member whom it refuses who they are and which role it takes', async () => {
    const id = await waitingTask();
    const { body } = await desk.post(url(id), { outcome: 'approve' }, 'ops-1');
    expect(body.detail).toContain('"ops-1" is not a member of the role "qa"');
    expect(body.detail).toContain(id);
  });

  it('writes every refused attempt on a known item into the log', async () => {
    const { job, gate } = await desk.world.parked();
    await desk.post(url(task(gate.gateId, 'qa')), { outcome: 'approve' }, 'stranger');
    await desk.post(url(task(gate.gateId, 'qa')), { outcome: 'maybe' }, 'qa-1');
    expect((await desk.world.typesOf(job.id)).filter((type) => type === 'approval.role_task_resolved')).toHaveLength(2);
  });
});

async function waitingTask(): Promise<string> {
  return task((await desk.world.parked()).gate.gateId, 'qa');
}
async function waitingQuestion(): Promise<string> {
  const job = await desk.world.run();
  const item = await desk.world.ask(job);
  await desk.world.park(job, [item.id]);
  return item.id;
}
async function decidedTask(): Promise<string> {
  const id = await waitingTask();
  expect((await desk.post(url(id), { outcome: 'approve' }, 'qa-1')).status).toBe(200);
  return id;
}
async function decidedTaskOfAuthor(): Promise<string> {
  const job = await desk.world.run({ submittedBy: { ...AUTHOR, identity: 'qa-2' } });
  const gate = await desk.world.open(job);
  await desk.world.park(job, [gate.gateId]);
  const id = task(gate.gateId, 'qa');
  expect((await desk.post(url(id), { outcome: 'approve' }, 'qa-1')).status).toBe(200);
  return id;
}

describe('a decision over HTTP', () => {
  it('has the identity of the caller, whatever the body says', async () => {
    const { gate } = await desk.world.parked();
    const body = { outcome: 'approve', identity: 'ops-1', resolved_by: 'ops-1', client_id: 'ops-1', author: 'ops-1' };
    const { status, body: item } = await desk.post(url(task(gate.gateId, 'qa')), body, 'qa-2');
    expect(status).toBe(200);
    expect(item).toMatchObject({ status: 'approved', resolved_by: 'qa-2' });
    expect((await desk.get(`/gates/${encodeURIComponent(gate.gateId)}`)).body).toMatchObject({
      distinct_approvers: ['qa-2'],
      resolutions: [{ resolved_by: 'qa-2' }],
    });
  });

  it('is recorded as authenticated', async () => {
    const { job, gate } = await desk.world.parked();
    await desk.post(url(task(gate.gateId, 'qa')), { outcome: 'approve' });
    const state = await desk.world.sqlite.stores.reviews.state(job.id);
    expect(state?.decisions).toMatchObject([{ identity: 'qa-1', assurance: 'authenticated' }]);
  });

  it('wakes the run once the gate is decided, and not before', async () => {
    const { job, gate } = await desk.world.parked();
    const statusOf = async () => (await desk.world.sqlite.stores.jobs.get(job.id))?.status;
    await desk.post(url(task(gate.gateId, 'qa')), { outcome: 'approve' }, 'qa-1');
    expect(await statusOf()).toBe('deferred');
    await desk.post(url(task(gate.gateId, 'ops')), { outcome: 'approve' }, 'ops-1');
    expect(await statusOf()).toBe('pending');
    expect((await desk.get(`/gates/${gate.gateId}`)).body).toMatchObject({ status: 'approved', resolved: true });
  });

  it.each(['changes_requested', 'changes-requested'])(
    'takes the spelling %s, and answers with a hyphen',
    async (outcome) => {
      const { gate } = await desk.world.parked();
      const { status, body } = await desk.post(url(task(gate.gateId, 'qa')), { outcome, comment: 'name the test' });
      expect(status).toBe(200);
      expect(body.status).toBe('changes-requested');
    },
  );

  it('is the same when the same person sends it twice', async () => {
    const { gate } = await desk.world.parked();
    const first = await desk.post(url(task(gate.gateId, 'qa')), { outcome: 'approve', comment: 'fine' });
    expect(await desk.post(url(task(gate.gateId, 'qa')), { outcome: 'approve', comment: 'again' })).toEqual(first);
  });

  it('needs the tier run', async () => {
    const id = await waitingTask();
    const answer = await desk.server.inject({
      method: 'POST',
      url: url(id),
      headers: as('read', 'qa-1'),
      payload: { outcome: 'approve' },
    });
    expect(answer.statusCode).toBe(403);
  });

  it('counts for an author whom nobody knows, because the caller is authenticated', async () => {
    const job = await desk.world.run({ submittedBy: { identity: 'anonymous', assurance: 'asserted' } });
    const gate = await desk.world.open(job);
    await desk.world.park(job, [gate.gateId]);
    expect((await desk.get(`/gates/${gate.gateId}`)).body).toMatchObject({
      exclude_author_unapplied: true,
      author: { identified: false, note: 'author not identified' },
    });
    expect((await desk.post(url(task(gate.gateId, 'qa')), { outcome: 'approve' })).status).toBe(200);
  });

  it('takes the whole id: what an id begins with decides nothing', async () => {
    const { gate } = await desk.world.parked();
    for (const cut of [task(gate.gateId, 'q'), `mpa-${gate.gateId}-0`, 'm'])
      for (const [action, body] of [
        ['resolve', { outcome: 'approve' }],
        ['approve', {}],
        ['reject', {}],
      ] as const)
        expect((await desk.post(`/review/${cut}/${action}`, body)).body).toMatchObject({ code: 'item-unknown' });
    expect((await desk.post(url(task(gate.gateId, 'qa')), { outcome: 'approve' })).status).toBe(200);
  });
});

describe('a comment', () => {
  it('loses the secrets that the server knows before it is kept', async () => {
    const masked = await openReviewServer({
      maskOf: async () => (text) => text.replaceAll('hunter2-hunter2', '[MASKED]'),
    });
    try {
      const { job, gate } = await masked.world.parked();
      const { body } = await masked.post(url(task(gate.gateId, 'qa')), {
        outcome: 'reject',
        comment: 'it prints hunter2-hunter2',
      });
      expect(body.comment).toBe('it prints [MASKED]');
      const log = JSON.stringify(await masked.world.sqlite.stores.events.readRun(job.id, 0, 1000));
      expect(log).toContain('it prints [MASKED]');
      expect(log).not.toContain('hunter2');
    } finally {
      await masked.world.dispose();
    }
  });
});

describe('an item that is not a role task', () => {
  it.each([
    ['answer', { answer: '1' }, 'approved', 'no'],
    ['answer', { answer: 'later', comment: 'when it rains' }, 'approved', 'later'],
    ['approve', undefined, 'approved', null],
    ['reject', {}, 'rejected', null],
  ] as const)('is settled by %s %j', async (action, body, status, answer) => {
    const job = await desk.world.run();
    const item = await desk.world.ask(job, { kind: action === 'answer' ? 'input' : 'permission' });
    await desk.world.park(job, [item.id]);
    const decided = await desk.post(url(item.id, action), body);
    expect(decided).toMatchObject({ status: 200, body: { status, answer, resolved_by: 'qa-1' } });
    const events = await desk.world.sqlite.stores.events.readRun(job.id, 0, 1000);
    expect(events.find((event) => event.type === 'hitl.resolved')?.payload).toMatchObject({ by_user: 'qa-1' });
    expect((await desk.world.sqlite.stores.jobs.get(job.id))?.status).toBe('pending');
  });

  it('refuses an answer that is none of the options with 422', async () => {
    const job = await desk.world.run();
    const item = await desk.world.ask(job, { kind: 'input', freeTextAllowed: false });
    await desk.world.park(job, [item.id]);
    expect(await desk.post(url(item.id, 'answer'), { answer: 'perhaps' })).toMatchObject({
      status: 422,
      body: { code: 'outcome-invalid' },
    });
    expect(await desk.post(url(item.id, 'answer'), {})).toMatchObject({ status: 422 });
  });

  it.each(['approve', 'reject', 'answer'])('is meant by %s: a role task answers 409', async (action) => {
    expect(await desk.post(url(await waitingTask(), action), { answer: 'yes' })).toMatchObject({
      status: 409,
      body: { code: 'role-task' },
    });
  });
});

describe('a gate', () => {
  it('is evaluated by its policy: under any it is approved while the folded reading would wait', async () => {
    const policy = {
      ...POLICY,
      rules: [{ scope: 'release:sign', roles: ['qa', 'ops'], quorum: 'any' as const, covers: null }],
    };
    const { gate } = await desk.world.parked({ policy });
    await desk.post(url(task(gate.gateId, 'qa')), { outcome: 'approve' });
    expect((await desk.get(`/gates/${gate.gateId}`)).body).toMatchObject({
      status: 'approved',
      quorum_evaluated: true,
      items: [{}, { status: 'pending' }],
    });
  });

  it('whose policy cannot be located shows a status folded from its items, which decides nothing and wakes no run', async () => {
    const job = await desk.world.run();
    const round = await gateWithBytes(desk.world.sqlite.stores, job.id, { policy: { ...POLICY, rules: [] } });
    await desk.world.sqlite.stores.runs.commit(fenceOf(job), [openWrite(openingOf(round))]);
    await desk.world.park(job, [round.gateId]);
    desk.world.registry.roles = [
      { id: 'qa', members: ['qa-1'], scopes: ['release'] },
      { id: 'ops', members: ['ops-1'], scopes: ['release'] },
    ];
    const shown = async () => {
      const { body } = await desk.get(`/gates/${round.gateId}`);
      return {
        status: body.status,
        quorum_evaluated: body.quorum_evaluated,
        job: (await desk.world.sqlite.stores.jobs.get(job.id))?.status,
      };
    };
    expect(await shown()).toEqual({ status: 'pending', quorum_evaluated: false, job: 'deferred' });
    await desk.post(url(task(round.gateId, 'qa')), { outcome: 'approve' }, 'qa-1');
    expect(await shown()).toEqual({ status: 'pending', quorum_evaluated: false, job: 'deferred' });
    await desk.post(url(task(round.gateId, 'ops')), { outcome: 'approve' }, 'ops-1');
    expect(await shown()).toEqual({ status: 'approved', quorum_evaluated: false, job: 'deferred' });
  });

  it('whose policy cannot be located wakes no run by a rejection either', async () => {
    const job = await desk.world.run();
    const round = await gateWithBytes(desk.world.sqlite.stores, job.id, { policy: { ...POLICY, rules: [] } });
    await desk.world.sqlite.stores.runs.commit(fenceOf(job), [openWrite(openingOf(round))]);
    await desk.world.park(job, [round.gateId]);
    desk.world.registry.roles = [{ id: 'qa', members: ['qa-1'], scopes: ['release'] }];
    expect((await desk.post(url(task(round.gateId, 'qa')), { outcome: 'reject' }, 'qa-1')).status).toBe(200);
    expect((await desk.get(`/gates/${round.gateId}`)).body).toMatchObject({
      status: 'rejected',
      quorum_evaluated: false,
    });
    expect((await desk.world.sqlite.stores.jobs.get(job.id))?.status).toBe('deferred');
  });

  it('shows another author on demand, and decides by the one who submitted', async () => {
    const { gate } = await desk.world.parked();
    expect((await desk.get(`/gates/${gate.gateId}?author=qa-1`)).body).toMatchObject({ author: { identity: 'qa-1' } });
    expect((await desk.get(`/gates/${gate.gateId}`)).body).toMatchObject({ author: { identity: 'dana' } });
    const sign = (query: string) => desk.post(url(task(gate.gateId, 'qa')) + query, { outcome: 'approve' }, 'qa-1');
    expect((await sign('?author=qa-1')).status).toBe(422);
    expect((await sign('')).status).toBe(200);
  });

  it('is found with its colon written as it is or encoded, and 404 when nobody knows it', async () => {
    const { gate } = await desk.world.parked();
    expect((await desk.get(`/gates/${gate.gateId}`)).status).toBe(200);
    expect((await desk.get(`/gates/${encodeURIComponent(gate.gateId)}`)).status).toBe(200);
    expect(await desk.get('/gates/nobody:here')).toMatchObject({ status: 404, body: { code: 'gate-unknown' } });
  });
});

describe('the list of items', () => {
  it('holds what waits, or everything, by kind and gate', async () => {
    const { gate } = await desk.world.parked();
    await waitingQuestion();
    await desk.post(url(task(gate.gateId, 'qa')), { outcome: 'approve' });
    const ids = async (query: string) => {
      const { body } = await desk.get(query);
      return (body as unknown as readonly { readonly id: string; readonly kind: string }[]).map((item) => item.kind);
    };
    expect(await ids('/review')).toEqual(['role_task', 'other']);
    expect(await ids('/review?status=all')).toEqual(['role_task', 'role_task', 'other']);
    expect(await ids('/review/all')).toEqual(['role_task', 'role_task', 'other']);
    expect(await ids('/review?kind=other')).toEqual(['other']);
    expect(await ids(`/review/all?gate_id=${encodeURIComponent(gate.gateId)}`)).toEqual(['role_task', 'role_task']);
    expect(await ids('/review?limit=1')).toEqual(['role_task']);
    expect(await ids('/review?gate_id=nobody:here')).toEqual([]);
  });

  it.each([
    ['/review?kind=nothing', 422],
    ['/review?status=some', 422],
    ['/review?limit=0', 422],
    ['/review?limit=1001', 422],
    ['/review/nothing', 404],
  ])('refuses %s with %i', async (address, status) => {
    expect((await desk.get(address)).status).toBe(status);
  });
});

describe('artifacts over HTTP', () => {
  const put = (bytes: Uint8Array, name = 'a/b%c#d') =>
    desk.world.sqlite.stores.artifacts.put({
      correlation: 'order 7',
      runId: 'run-1',
      name,
      mediaType: 'text/plain',
      bytes,
    });

  it('come back by their ref, decoded once, with and without a digest', async () => {
    const text = new TextEncoder().encode('the draft');
    const record = await put(text);
    const address = (ref: string) => `/artifacts/${ref.split('/').map(encodeURIComponent).join('/')}`;
    const wanted = { ref: record.ref, content: 'the draft', length: 9, sha256: record.sha256 };
    expect(await desk.get(address(record.ref))).toMatchObject({ status: 200, body: wanted });
    expect(
      await desk.get(`/artifacts/${encodeURIComponent(`${record.ref}#${record.sha256.slice(0, 12)}`)}`),
    ).toMatchObject({ body: wanted });
    expect(await desk.get(`${address(record.ref)}%23${'0'.repeat(12)}`)).toMatchObject({
      status: 404,
      body: { code: 'artifact-unknown' },
    });
    // Not encoded a second time, the ref names something else.
    expect((await desk.get(`/artifacts/${record.ref.replaceAll(' ', '%20')}`)).status).toBe(404);
  });

  it('are base64 where they are not UTF-8', async () => {
    const record = await put(Uint8Array.of(0xff, 0x00, 0x80), 'image');
    const { body } = await desk.get(`/artifacts/${encodeURIComponent(record.ref)}`);
    expect(body).toMatchObject({ content: '/wCA', encoding: 'base64', length: 3 });
  });

  it('are listed by correlation and run', async () => {
    const { job } = await desk.world.parked();
    const record = await put(Uint8Array.of(1));
    expect((await desk.get('/artifacts')).body).toMatchObject({
      correlation_id: null,
      run_id: null,
      refs: [record.ref, `${job.id}/${job.id}/writer`],
    });
    expect((await desk.get('/artifacts?correlation_id=order%207')).body).toMatchObject({
      correlation_id: 'order 7',
      refs: [record.ref],
    });
    expect((await desk.get(`/artifacts?run_id=${job.id}`)).body).toMatchObject({
      run_id: job.id,
      refs: [`${job.id}/${job.id}/writer`],
    });
    expect((await desk.get('/artifacts?run_id=nothing')).status).toBe(404);
  });
});
