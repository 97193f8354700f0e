import { describe, expect, it } from 'vitest';
import { contribution } from '../../../plugins/sinks/src/webhook.js';
import type { LogEntry } from '../../../src/domain/log-entry.js';
import { createTestContext } from '../../../src/domain/testing.js';
import { type Behaviour, hang, hangUp, openReceiver, status } from '../../support/http/receiver.js';
import { runOf } from '../../support/sink-run.js';

const ENTRY: LogEntry = {
  cursor: 'c-1',
  event_id: 'e-1',
  event_type: 'run.ended',
  timestamp: '2026-01-02T03:04:05.000Z',
  run_id: 'r-1',
  topology_id: 'review',
  agent_id: null,
  skill_id: null,
  correlation_id: 'order-7',
  payload: { status: 'completed', reason: null, error: null },
  labels: { team: 'a' },
};

const context = createTestContext({ fetch: globalThis.fetch, credentials: { receiver: 'the bearer' } });
const sinkFor = (url: string, ref?: string) =>
  contribution.create({ url, ...(ref === undefined ? {} : { credentials_ref: ref }) }, context);

describe('the webhook sink', () => {
  it('posts the entry as it stands, with its id and the bearer', async () => {
    const { url, received } = await openReceiver();
    const sink = await sinkFor(url, 'receiver');
    expect(await sink.deliver(ENTRY, new AbortController().signal, runOf())).toEqual({ kind: 'delivered' });
    expect(received).toMatchObject([
      {
        method: 'POST',
        body: ENTRY,
        headers: { 'content-type': 'application/json', 'kit-event-id': 'e-1', authorization: 'Bearer the bearer' },
      },
    ]);
  });

  it('sends the trace of the run along, for what the receiver does about the event', async () => {
    const { url, received } = await openReceiver();
    const sink = await sinkFor(url);
    await sink.deliver(
      ENTRY,
      new AbortController().signal,
      runOf('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'),
    );
    await sink.deliver(ENTRY, new AbortController().signal, runOf(null));
    expect(received.map(({ headers }) => headers.traceparent)).toEqual([
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      undefined,
    ]);
  });

  it('sends no credential where none is named', async () => {
    const { url, received } = await openReceiver();
    await (await sinkFor(url)).deliver(ENTRY, new AbortController().signal, runOf());
    expect(received[0]?.headers.authorization).toBeUndefined();
  });

  it.each<readonly [string, Behaviour, object]>([
    ['takes 200 for delivered', status(200), { kind: 'delivered' }],
    ['takes a redirect for delivered', status(302, { location: '/elsewhere' }), { kind: 'delivered' }],
    ['takes 400 for final', status(400), { kind: 'rejected', detail: 'the receiver answered 400' }],
    ['takes 429 for final', status(429), { kind: 'rejected', detail: 'the receiver answered 429' }],
    ['takes 500 for one to try again', status(500), { kind: 'failed', detail: 'the receiver answered 500' }],
    [
      'takes a cut connection for one to try again',
      hangUp,
      { kind: 'failed', detail: 'the receiver cannot be reached (UND_ERR_SOCKET)' },
    ],
  ])('%s', async (_name, behave, outcome) => {
    const { url, received } = await openReceiver(behave);
    expect(await (await sinkFor(url, 'receiver')).deliver(ENTRY, new AbortController().signal, runOf())).toEqual(
      outcome,
    );
    // A redirect is answered, not followed: the bearer goes nowhere else.
    expect(received).toHaveLength(1);
  });

  it('ends with its signal when the receiver hangs, without a word of the address', async () => {
    const { url } = await openReceiver(hang);
    const outcome = await (await sinkFor(url)).deliver(ENTRY, AbortSignal.timeout(50), runOf());
    expect(outcome).toEqual({ kind: 'failed', detail: 'the receiver did not answer in time' });
  });

  it('says which credential is missing', async () => {
    const { url, received } = await openReceiver();
    const outcome = await (await sinkFor(url, 'nobody')).deliver(ENTRY, new AbortController().signal, runOf());
    expect(outcome.kind).toBe('failed');
    expect(received).toHaveLength(0);
  });
});
