import { describe, expect, it } from 'vitest';
import { contribution } from '../../../../plugins/serve/src/mounts/events/mount.js';
import type { LogEntry } from '../../../../src/domain/log-entry.js';
import { type EventsServer, openEventsServer } from '../../../support/http/events-server.js';
import { as, serveGroup } from '../../../support/http/serve-group.js';
import { claimOf, eventOf, messageEvent, newJob, startedEvent } from '../../../support/store-samples.js';

interface Page {
  readonly events: readonly LogEntry[];
  readonly next_cursor: string;
  readonly has_more: boolean;
}

async function page(desk: EventsServer, query = ''): Promise<Page> {
  const { status, body } = await desk.get(`/events${query}`);
  expect(status).toBe(200);
  return body as unknown as Page;
}

/** A run of three events, and one event that belongs to none. */
async function filled(): Promise<EventsServer & { readonly jobId: string }> {
  const desk = await openEventsServer();
  const { jobs, events } = desk.world.stores;
  const jobId = desk.world.ids.jobId();
  const uuid = () => desk.world.ids.uuid();
  await jobs.insert(
    newJob(jobId, { correlationId: 'order-7', labels: { team: 'a' } }),
    'pending',
    [startedEvent(uuid())],
    claimOf(),
  );
  await events.append(messageEvent(uuid(), 'between'), { entry: 'x' });
  return { ...desk, jobId };
}

describe('GET /events', () => {
  it('gives every event with its cursor, its run and its labels', async () => {
    const desk = await filled();
    const { events, next_cursor, has_more } = await page(desk);
    expect(events).toEqual([
      {
        cursor: expect.any(String),
        event_id: expect.any(String),
        event_type: 'run.started',
        timestamp: '2026-01-02T03:04:05.000Z',
        run_id: desk.jobId,
        topology_id: 'review',
        agent_id: null,
        skill_id: null,
        correlation_id: 'order-7',
        payload: expect.objectContaining({ topology: 'review', submitted_by: 'ada' }),
        labels: { team: 'a' },
      },
      expect.objectContaining({
        event_type: 'executor.message',
        run_id: '',
        correlation_id: null,
        labels: { entry: 'x' },
      }),
    ]);
    expect({ next_cursor, has_more }).toEqual({ next_cursor: events[1]?.cursor, has_more: false });
  });

  it('reads on after the cursor of any event, and gives an empty page its own cursor back', async () => {
    const desk = await filled();
    const all = await page(desk);
    const rest = await page(desk, `?after=${all.events[0]?.cursor}`);
    expect(rest.events).toEqual(all.events.slice(1));
    const none = await page(desk, `?after=${all.next_cursor}`);
    expect(none).toEqual({ events: [], next_cursor: all.next_cursor, has_more: false });
  });

  it('says exactly whether there is more', async () => {
    const desk = await filled();
    expect(await page(desk, '?limit=1')).toMatchObject({ has_more: true, events: [{}] });
    expect(await page(desk, '?limit=2')).toMatchObject({ has_more: false, events: [{}, {}] });
  });

  it('has no cursor for an empty log, and takes that back', async () => {
    const desk = await openEventsServer();
    expect(await page(desk)).toEqual({ events: [], next_cursor: '', has_more: false });
    expect(await page(desk, '?after=')).toEqual({ events: [], next_cursor: '', has_more: false });
  });

  it('filters by type and by run', async () => {
    const desk = await filled();
    const types = async (query: string) => (await page(desk, query)).events.map((event) => event.event_type);
    expect(await types('?types=run.started')).toEqual(['run.started']);
    expect(await types('?types=run.started,%20executor.message')).toEqual(['run.started', 'executor.message']);
    expect(await types(`?run_id=${desk.jobId}`)).toEqual(['run.started']);
    expect(await types('?run_id=nobody')).toEqual([]);
  });

  it.each([
    ['?after=nonsense', 400, 'cursor-invalid'],
    ['?limit=0', 422, 'request-invalid'],
    ['?limit=1001', 422, 'request-invalid'],
    ['?limit=ten', 422, 'request-invalid'],
    ['?types=run.begun', 422, 'request-invalid'],
    ['?types=run.started,', 422, 'request-invalid'],
    ['?types=', 422, 'request-invalid'],
    ['?run_id=', 422, 'request-invalid'],
  ])('refuses %s with %i', async (query, status, code) => {
    const desk = await filled();
    expect(await desk.get(`/events${query}`)).toMatchObject({ status, body: { code } });
  });

  it('tells which type was probably meant', async () => {
    const desk = await filled();
    expect((await desk.get('/events?types=run.startet')).body.hint).toBe('Did you mean run.started?');
  });

  it('gives a cursor of another log no page of this one', async () => {
    const other = await filled();
    const desk = await filled();
    const { next_cursor: foreign } = await page(other);
    expect((await desk.get(`/events?after=${foreign}`)).status).toBe(400);
  });

  it('says in a header that events before the page are gone', async () => {
    const answer = (isTruncated: boolean) => async () => ({
      entries: [],
      nextCursor: 'c',
      hasMore: false,
      isTruncated,
    });
    for (const [isTruncated, header] of [
      [true, 'true'],
      [false, undefined],
    ] as const) {
      const server = await serveGroup(contribution, { events: { read: answer(isTruncated) } });
      const { statusCode, headers } = await server.inject({ url: '/events?after=c', headers: as('read') });
      expect({ statusCode, header: headers['kit-log-truncated'] }).toEqual({ statusCode: 200, header });
    }
  });
});

describe('GET /audit', () => {
  it('gives rows newest first, with the facts of each event in columns of their own', async () => {
    const desk = await openEventsServer();
    const { ids, stores } = desk.world;
    const record = (event: ReturnType<typeof eventOf>) => stores.events.append(event, { team: 'a' });
    await record({
      ...eventOf(ids.uuid(), 'agent.started', { role: 'worker', executor: 'model', parent_key: null, activation: 'a' }),
      agentId: 'writer',
    });
    await record(
      eventOf(ids.uuid(), 'model.called', {
        provider: 'openai',
        model: 'm-1',
        purpose: 'turn',
        status: 'failed',
        reason: 'overloaded',
        tool_calls: 0,
        retries: 2,
        input_tokens: 10,
        output_tokens: 20,
        cached_input_tokens: 0,
        reasoning_tokens: 0,
        cost_usd: 0.5,
        duration_ms: 1200,
      }),
    );
    await record(
      eventOf(ids.uuid(), 'decision.evaluated', {
        trigger: 'post_output',
        skill: 'fit',
        verdict: 'pass',
        confidence: 0.75,
        reasoning: 'it fits',
        passed: true,
        flagged_items: [],
        verdict_invalid: false,
      }),
    );
    await record(eventOf(ids.uuid(), 'policy.denied', { action: 'tool:x', reason: 'no scope', needs: ['x:y'] }));
    await record(eventOf(ids.uuid(), 'run.parked', { waiting_on: ['g'], error: 'waits for g' }));
    const rows = (await desk.get('/audit')).body as unknown as readonly Record<string, unknown>[];
    expect(rows).toMatchObject([
      { event_type: 'run.parked', error: 'waits for g' },
      { event_type: 'policy.denied', policy_decision: 'deny', policy_reason: 'no scope' },
      { event_type: 'decision.evaluated', verdict: 'pass', reasoning: 'it fits', confidence: 0.75 },
      {
        event_type: 'model.called',
        model_provider: 'openai',
        model_name: 'm-1',
        tokens_in: 10,
        tokens_out: 20,
        cost_usd: 0.5,
        duration_ms: 1200,
        error: 'overloaded',
      },
      { event_type: 'agent.started', agent_id: 'writer', agent_role: 'worker', labels: { team: 'a' } },
    ]);
    for (const row of rows) expect(row).toMatchObject({ skill_category: null, parent_event_id: null });
    expect(Object.keys(rows[0] ?? {})).toHaveLength(27);
  });

  it('filters by run, agent, topology, type and time, the time inclusive and with any offset', async () => {
    const desk = await filled();
    const count = async (query: string) =>
      ((await desk.get(`/audit${query}`)).body as unknown as readonly unknown[]).length;
    expect(await count('')).toBe(2);
    expect(await count('?limit=1')).toBe(1);
    expect(await count(`?run_id=${desk.jobId}`)).toBe(1);
    expect(await count('?agent_id=nobody')).toBe(0);
    expect(await count('?topology_id=review')).toBe(2);
    expect(await count('?topology_id=other')).toBe(0);
    expect(await count('?types=executor.message')).toBe(1);
    expect(await count('?since=2026-01-02T03:04:05Z')).toBe(2);
    expect(await count('?since=2026-01-02T04:04:05%2B01:00')).toBe(2);
    expect(await count('?since=2026-01-02T03:04:05.001Z')).toBe(0);
  });

  it('says how far it looked back while there is more, and goes on from there', async () => {
    const desk = await filled();
    const part = async (query: string) => {
      const { headers, json } = await desk.server.inject({ url: `/audit?limit=1${query}`, headers: as('read') });
      return { before: headers['kit-audit-before'], rows: json() as readonly { readonly event_id: string }[] };
    };
    const first = await part('');
    const second = await part(`&before=${first.before}`);

    expect(new Set([...first.rows, ...second.rows].map((row) => row.event_id)).size).toBe(2);
    expect(second.before).toBeUndefined();
    expect((await desk.get('/audit?before=forged')).status).toBe(400);
  });

  it.each([
    '?since=yesterday',
    '?since=2026-01-02',
    '?since=2026-01-02T03:04:05+01:00',
    '?limit=0',
    '?limit=1001',
    '?types=nothing',
    '?run_id=',
  ])('answers %s with 422', async (query) => {
    expect((await (await filled()).get(`/audit${query}`)).status).toBe(422);
  });
});
