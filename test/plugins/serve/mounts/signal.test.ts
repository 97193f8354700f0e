import { describe, expect, it } from 'vitest';
import { contribution as http } from '../../../../plugins/sinks/src/listener.js';
import type { Signal, SignalListener } from '../../../../src/domain/ports/sinks.js';
import { createTestContext } from '../../../../src/domain/testing.js';
import { openEventsServer } from '../../../support/http/events-server.js';
import { hangUp, openReceiver, status } from '../../../support/http/receiver.js';
import { as } from '../../../support/http/serve-group.js';

const EMIT = { correlation_id: 'order-7', event: 'paid', source_event_id: 'evt-1' };

function listening() {
  const heard: Signal[] = [];
  const listener: SignalListener = { deliver: async (signal) => void heard.push(signal) };
  return { heard, openListener: async () => listener };
}

describe('POST /events/signal', () => {
  it('hands the event to the listener and says who sent it', async () => {
    const { heard, openListener } = listening();
    const desk = await openEventsServer({ openListener });
    expect(await desk.signal(EMIT)).toEqual({
      status: 200,
      body: { delivered: true, correlation_id: 'order-7', event: 'paid', mode: 'emit', source: 'api:alice' },
    });
    expect(heard).toEqual([
      {
        correlationId: 'order-7',
        event: 'paid',
        sourceEventId: 'evt-1',
        mode: 'emit',
        source: 'api:alice',
        pipeline: null,
      },
    ]);
  });

  it('takes no identity from the body', async () => {
    const { heard, openListener } = listening();
    const desk = await openEventsServer({ openListener });
    expect(
      (await desk.signal({ ...EMIT, mode: 'advance', source: 'api:rita', identity: 'rita', client_id: 'rita' })).status,
    ).toBe(403);
    expect(heard).toEqual([]);
  });

  it.each([
    ['advance', 'rita', 200],
    ['advance', 'rita@example.org', 200],
    ['advance', 'olaf', 403],
    ['advance', 'stranger', 403],
    ['skip', 'olaf', 200],
    ['skip', 'rita', 403],
  ])('%s by %s answers %i: a role confers it, never a token', async (mode, client, wanted) => {
    const { heard, openListener } = listening();
    const desk = await openEventsServer({ openListener });
    const answer = await desk.server.inject({
      method: 'POST',
      url: '/events/signal',
      headers: as('admin', client),
      payload: { correlation_id: 'order-7', event: 'paid', mode },
    });
    expect(answer.statusCode).toBe(wanted);
    expect(heard).toHaveLength(wanted === 200 ? 1 : 0);
    if (wanted === 403)
      expect(answer.json()).toMatchObject({
        code: 'approval-denied',
        detail: expect.stringContaining(`pipeline:${mode}`),
      });
  });

  it('answers 503 where nobody listens, and 502 where the listener fails', async () => {
    expect(await (await openEventsServer()).signal(EMIT)).toMatchObject({ status: 503, body: { code: 'no-listener' } });
    const broken = await openEventsServer({
      openListener: async () => ({ deliver: () => Promise.reject(new Error('it is out of order')) }),
    });
    expect(await broken.signal(EMIT)).toMatchObject({
      status: 502,
      body: { code: 'signal-failed', detail: expect.stringContaining('out of order') },
    });
  });

  it('writes every attempt into the log, whatever became of it', async () => {
    const of = async (desk: Awaited<ReturnType<typeof openEventsServer>>, body: object) => {
      await desk.signal(body);
      return (await desk.logged('pipeline.ingress')).map((event) => ({ run: event.jobId, ...event.payload }));
    };
    const facts = {
      run: '',
      correlation_id: 'order-7',
      event: 'paid',
      source_event_id: 'evt-1',
      source: 'api:alice',
      pipeline: null,
      identity: 'alice',
      client_name: 'alice',
    };
    expect(await of(await openEventsServer(listening()), EMIT)).toEqual([
      { ...facts, mode: 'emit', outcome: 'delivered', reason: null },
    ]);
    expect(await of(await openEventsServer(listening()), { ...EMIT, mode: 'skip' })).toMatchObject([
      { ...facts, mode: 'skip', outcome: 'denied', reason: expect.stringContaining('pipeline:skip') },
    ]);
    expect(await of(await openEventsServer(), EMIT)).toMatchObject([{ ...facts, outcome: 'no_listener' }]);
    const broken = await openEventsServer({
      openListener: async () => ({ deliver: () => Promise.reject(new Error('out of order')) }),
    });
    expect(await of(broken, EMIT)).toMatchObject([{ ...facts, outcome: 'failed', reason: 'out of order' }]);
    const absent = await openEventsServer({ openListener: () => Promise.reject(new Error('no such plugin')) });
    expect(await of(absent, EMIT)).toMatchObject([{ ...facts, outcome: 'failed', reason: 'no such plugin' }]);
  });

  it('keeps known secrets out of the log, and hands the event on as it came', async () => {
    const { heard, openListener } = listening();
    const desk = await openEventsServer({
      openListener,
      maskOf: async () => (text) => text.replaceAll('hunter2', '[MASKED]'),
    });
    await desk.signal({ correlation_id: 'hunter2', event: 'hunter2', source_event_id: 'hunter2' });
    expect(heard).toMatchObject([{ correlationId: 'hunter2' }]);
    expect(JSON.stringify(await desk.logged('pipeline.ingress'))).not.toContain('hunter2');
  });

  it.each([
    ['no correlation id', { event: 'paid' }],
    ['an empty one', { correlation_id: '', event: 'paid' }],
    ['one that is not text', { correlation_id: 7, event: 'paid' }],
    ['no event', { correlation_id: 'order-7' }],
    ['an unknown mode', { ...EMIT, mode: 'rewind' }],
    ['a name of 1025 characters', { ...EMIT, event: 'x'.repeat(1025) }],
  ])('refuses %s with 422', async (_name, body) => {
    expect((await (await openEventsServer(listening())).signal(body)).status).toBe(422);
  });
});

describe('the listener behind server.signal', () => {
  const listen = (url: string) =>
    http.create(
      { url, credentials_ref: 'app' },
      createTestContext({ fetch: globalThis.fetch, credentials: { app: 'the bearer' } }),
    );

  it('gets each event by POST with its bearer', async () => {
    const { url, received } = await openReceiver();
    const desk = await openEventsServer({ openListener: async () => listen(url) });
    expect((await desk.signal(EMIT)).status).toBe(200);
    expect(received).toMatchObject([
      {
        method: 'POST',
        headers: { authorization: 'Bearer the bearer' },
        body: {
          correlation_id: 'order-7',
          event: 'paid',
          source_event_id: 'evt-1',
          mode: 'emit',
          source: 'api:alice',
          pipeline: null,
        },
      },
    ]);
  });

  it.each([
    ['a redirect', status(307, { location: '/elsewhere' })],
    ['a refusal', status(400)],
    ['a failure', status(500)],
    ['a cut connection', hangUp],
  ])('has not taken an event that it answers with %s: 502', async (_name, behave) => {
    const { url, received } = await openReceiver(behave);
    const desk = await openEventsServer({ openListener: async () => listen(url) });
    const answer = await desk.signal(EMIT);
    expect(answer.status).toBe(502);
    expect(received).toHaveLength(1);
    expect(JSON.stringify(answer.body)).not.toContain('a-secret-key');
    expect(JSON.stringify(await desk.logged('pipeline.ingress'))).not.toContain('a-secret-key');
  });
});
