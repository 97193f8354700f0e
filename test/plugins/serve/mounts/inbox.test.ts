import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openReviewServer, type ReviewServer } from '../../../support/http/review-server.js';
import { as } from '../../../support/http/serve-group.js';

let desk: ReviewServer;
beforeEach(async () => {
  desk = await openReviewServer();
});
afterEach(() => desk.world.dispose());

const task = (gateId: string, role: string): string => `mpa-${gateId}-0-${role}`;
const get = async (url: string, tier: 'read' | 'run', client: string) => {
  const answer = await desk.server.inject({ url, headers: as(tier, client) });
  return { status: answer.statusCode, body: answer.json() };
};

describe('what is asked, over HTTP', () => {
  it('stands beside each item of a list, one item and its gate, with what led there for one alone', async () => {
    const { job, gate } = await desk.world.parked({ evidence: { critique: 'too long' } });
    const id = task(gate.gateId, 'qa');
    const [listed] = (await get('/review', 'run', 'qa-1')).body;
    expect(listed).toMatchObject({
      id,
      request: {
        run_id: job.id,
        topology: job.topology,
        submitted_by: { identity: 'dana', assurance: 'authenticated' },
        critique: 'too long',
        led_here: null,
      },
      you: { can_decide: true, why_not: null },
    });
    const { body: item } = await get(`/review/${encodeURIComponent(id)}`, 'run', 'qa-1');
    expect(item.request).toEqual({ ...listed.request, led_here: expect.objectContaining({ left_out: 0 }) });
    const { body: of } = await get(`/gates/${encodeURIComponent(gate.gateId)}`, 'run', 'ops-1');
    expect(of.request).toEqual(item.request);
    expect(of.you).toEqual({ can_decide: true, why_not: null });
  });

  it('tells a caller who may only read so, and one of another role why, by the words of the refusal', async () => {
    const { gate } = await desk.world.parked();
    const id = encodeURIComponent(task(gate.gateId, 'qa'));
    const { body: reader } = await get(`/review/${id}`, 'read', 'qa-1');
    expect(reader.you).toEqual({ can_decide: false, why_not: expect.stringContaining('serve:run') });
    const refused = await desk.server.inject({
      method: 'POST',
      url: `/review/${id}/resolve`,
      headers: as('read', 'qa-1'),
      payload: { outcome: 'approve' },
    });
    expect(refused.statusCode).toBe(403);
    const { body: other } = await get(`/review/${id}`, 'run', 'ops-1');
    const answer = await desk.post(`/review/${id}/resolve`, { outcome: 'approve' }, 'ops-1');
    expect(String(answer.body.detail)).toContain(other.you.why_not);
  });
});

describe('the inbox over HTTP', () => {
  it('holds what waits for the caller, page by page', async () => {
    const first = await desk.world.parked();
    const second = await desk.world.parked();
    const { body } = await get('/inbox?limit=1', 'run', 'qa-1');
    expect(body).toMatchObject({
      identity: 'qa-1',
      roles: ['qa'],
      total: 2,
      has_more: true,
      items: [{ id: task(first.gate.gateId, 'qa'), you: { can_decide: true }, expires_at: null, judge_score: null }],
    });
    const after = await get(`/inbox?after=${encodeURIComponent(body.items[0].id)}`, 'run', 'qa-1');
    expect(after.body.items.map((item: { id: string }) => item.id)).toEqual([task(second.gate.gateId, 'qa')]);
    expect((await get('/inbox', 'run', 'stranger')).body).toMatchObject({ roles: [], total: 0, items: [] });
  });

  it('gives one item with the artifact, its gate, and what the caller decided before', async () => {
    const job = await desk.world.run();
    const gate = await desk.world.open(job, { text: 'draft one' });
    const id = task(gate.gateId, 'qa');
    await desk.post(`/review/${encodeURIComponent(id)}/resolve`, { outcome: 'changes_requested', comment: 'more' });
    await desk.world.open(job, { text: 'draft two' });
    const { body } = await get(`/inbox/${encodeURIComponent(`${id}-r`)}`, 'run', 'qa-1');
    expect(body).toMatchObject({
      id: `${id}-r1`,
      gate: { gate_id: gate.gateId, status: 'pending', round: 1 },
      artifact: { name: 'writer', text: 'draft two', media_type: 'text/plain' },
      diff: null,
      previous: { decision: { outcome: 'changes_requested', comment: 'more' }, artifact: { text: 'draft one' } },
      request: {
        run_id: job.id,
        led_here: { left_out: 0 },
        decisions: [{ by: 'qa-1', outcome: 'changes_requested', counts: false }],
      },
    });
    expect((await get(`/inbox/${encodeURIComponent(`${id}-r1`)}`, 'run', 'ops-1')).body.previous).toBeNull();
  });
});
