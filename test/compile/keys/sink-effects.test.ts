import { beforeEach, expect, test, vi } from 'vitest';
import type { EventsApp } from '../../../src/app/events/events-app.js';
import { createEvents } from '../../../src/boot/app-events.js';
import { isKitError } from '../../../src/domain/errors.js';
import { createClock } from '../../../src/system/clock.js';
import { createIds } from '../../../src/system/ids.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { openReceiver, type Received } from '../../support/http/receiver.js';
import { openSceneApp } from '../../support/scene/scene-app.js';
import { showsEffect } from '../../support/shows-effect.js';
import { eventOf } from '../../support/store-samples.js';
import { SILENT } from '../../support/store-world.js';
import type { RunProof } from './proofs/proof.js';
import { SINK_ENV, SINK_PROOFS, signalProofs, sinkProofs } from './proofs/sink-proofs.js';
import { VERDICTS } from './proofs/verdict-scene.js';

const ids = createIds(readWorkerHost());

/** The log of a workspace as `boot` wires it. */
async function withEvents<T>(
  directory: string,
  use: (events: EventsApp, append: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const app = openSceneApp(directory, { env: { PATH: process.env.PATH ?? '', ...SINK_ENV } });
  const events = createEvents(
    {
      events: async () => ({
        clock: createClock(),
        ids,
        log: SILENT,
        exporter: null,
        openStores: async () => (await app.session()).openStores(),
        readRoles: () => Promise.reject(new Error('nobody advances here')),
        maskOf: async () => (text) => text,
        sessionOf: app.session,
      }),
    },
    async () => [],
  );
  const append = async () => {
    const { events: log } = await (await app.session()).openStores();
    await log.append(eventOf(ids.uuid(), 'executor.message', { role: 'assistant', text: 'hello' }), {});
    await log.append(eventOf(ids.uuid(), 'input.rejected', { errors: [] }), {});
  };
  try {
    return await use(events, append);
  } finally {
    await app.close();
  }
}

const facts = ({ url, headers, body }: Received) => ({
  path: new URL(url, 'http://receiver').pathname,
  bearer: headers.authorization ?? null,
  type: (body as { readonly event_type?: string }).event_type ?? null,
});

let address = '';
let received: readonly Received[] = [];
beforeEach(async () => {
  const receiver = await openReceiver();
  received = receiver.received;
  address = new URL(receiver.url).origin;
});

async function proves(
  { key, a, b, given, at, refuses }: RunProof,
  entry: 'pushed' | 'signalled',
  observe: (directory: string) => Promise<unknown>,
): Promise<void> {
  const refusals = new Set<string | null>();
  const seen = async (directory: string): Promise<unknown> => {
    try {
      const shown = await observe(directory);
      refusals.add(null);
      return shown;
    } catch (error) {
      if (!isKitError(error)) throw error;
      refusals.add(error.code);
      return error.code;
    }
  };
  // One after the other: what came in is told by its place.
  await showsEffect(key, a, b, {
    base: VERDICTS,
    entry,
    observe: inTurn(seen),
    ...(given === undefined ? {} : { given }),
    ...(at === undefined ? {} : { at }),
  });
  expect(refusals).toEqual(new Set([null, ...(refuses === undefined ? [] : [refuses])]));
}

function inTurn(observe: (directory: string) => Promise<unknown>): (directory: string) => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve();
  return (directory) => {
    const next = last.then(
      () => observe(directory),
      () => observe(directory),
    );
    last = next.catch(() => undefined);
    return next;
  };
}

const named = (proofs: readonly RunProof[]) => proofs.map(({ key }) => key);
const proofOf = (proofs: readonly RunProof[], key: string) =>
  proofs.find((proof) => proof.key === key) ?? expect.fail(key);

test.each(named(sinkProofs('')))('%s changes what is pushed, and where to', async (key) => {
  await proves(proofOf(sinkProofs(address), key), 'pushed', (directory) =>
    withEvents(directory, async (events, append) => {
      const before = received.length;
      const delivery = await events.startSinks(directory);
      await append();
      await vi.waitFor(() => expect(delivery.counters()).toMatchObject([{ delivered: 1 }]), {
        timeout: 20_000,
        interval: 10,
      });
      await delivery.stop();
      return { sinks: delivery.counters(), received: received.slice(before).map(facts) };
    }),
  );
});

test.each(named(signalProofs('')))('%s changes who hears of an event', async (key) => {
  await proves(proofOf(signalProofs(address), key), 'signalled', (directory) =>
    withEvents(directory, async (events) => {
      const before = received.length;
      await events.signal({
        workspace: directory,
        correlationId: 'order-7',
        event: 'paid',
        sourceEventId: null,
        mode: 'emit',
        pipeline: null,
        from: { kind: 'caller', identity: 'ada' },
      });
      return received.slice(before).map(facts);
    }),
  );
});

test('every proof of a sink has a test', () => {
  expect(named(SINK_PROOFS)).toEqual([...named(sinkProofs('')), ...named(signalProofs(''))]);
});
