import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startSinks } from '../../../../src/app/events/sinks/start-sinks.js';
import type { LogEntry } from '../../../../src/domain/log-entry.js';
import type { EventSink } from '../../../../src/domain/ports/sinks.js';
import type { SinkSettings } from '../../../../src/domain/server-settings.js';
import { TestClock } from '../../../../src/testing/test-clock.js';
import { openReceiver, type Received } from '../../../support/http/receiver.js';
import { openSinkWorld, post, say, startSinkServer } from '../../../support/sink-world.js';

const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 10 });
const textsOf = (received: readonly Received[]) => received.map(({ body }) => (body as LogEntry).payload.text);

/** A sink that opens while somebody is logged in. */
function lockedSink() {
  const taken: unknown[] = [];
  let tries = 0;
  const locked = {
    isOpen: false,
    taken,
    tries: () => tries,
    sinks: {
      get locked(): EventSink {
        tries += 1;
        if (!locked.isOpen) throw new Error('no key is set');
        return {
          deliver: async ({ payload }) => {
            taken.push(payload.text);
            return { kind: 'delivered' };
          },
        };
      },
    },
  };
  return locked;
}

describe('a sink that a reload cannot open', () => {
  it('is gone on without, with a line of the log, and no longer tried once the files do not name it', async () => {
    const world = await openSinkWorld();
    const [stays, comes] = [await openReceiver(), await openReceiver()];
    const locked = lockedSink();
    const server = await startSinkServer(world, [post(stays.url)], { sinks: locked.sinks });
    server.settings = [post(stays.url), { sink: 'locked', config: {}, types: [] }];
    await server.delivery.reload();
    expect(server.lines).toMatchObject([
      { message: 'event sink locked#1 is off, and tried again until it opens: no key is set' },
    ]);
    await say(world, 'one');
    await until(() => expect(textsOf(stays.received)).toEqual(['one']));
    server.settings = [post(stays.url), post(comes.url)];
    await server.delivery.reload();
    await say(world, 'two');
    await until(() => expect([textsOf(stays.received), textsOf(comes.received)]).toEqual([['one', 'two'], ['two']]));
    await server.clock.advance(120_000);
    expect(locked.tries()).toBe(1);
  });

  it('is tried again, ever later, and goes on from where it was', async () => {
    const world = await openSinkWorld();
    const locked = lockedSink();
    locked.isOpen = true;
    const server = await startSinkServer(world, [{ sink: 'locked', config: {}, types: [] }], { sinks: locked.sinks });
    await say(world, 'one');
    await until(() => expect(locked.taken).toEqual(['one']));
    expect(server.clock.sleeping).toBe(1);
    locked.isOpen = false;
    await server.delivery.reload();
    await say(world, 'while it is off');
    const before = locked.tries();
    // The lead sleeps too.
    for (const [tries, waitMs] of [1000, 2000, 4000].entries()) {
      await until(() => expect([server.clock.sleeping, locked.tries() - before]).toEqual([2, tries]));
      await server.clock.advance(waitMs);
    }
    await until(() => expect(server.clock.sleeping).toBe(2));
    locked.isOpen = true;
    await server.clock.advance(60_000);
    await until(() => expect(locked.taken).toEqual(['one', 'while it is off']));
    expect(server.lines.map(({ message }) => message)).toEqual([
      'event sink locked#0 is off, and tried again until it opens: no key is set',
      'event sink locked#0 is on again',
    ]);
    await until(() => expect(server.clock.sleeping).toBe(1));
  });

  it('is no reason to refuse a reload that adds an exporter of telemetry', async () => {
    const world = await openSinkWorld();
    const clock = new TestClock();
    const lines: string[] = [];
    const write = (message: string): void => void lines.push(message);
    let sinks: readonly SinkSettings[] = [];
    let isOpen = false;
    const delivery = await startSinks(world.stores, {
      clock,
      random: () => 0,
      log: { debug: write, info: write, warn: write, error: write },
      holder: 'server-1',
      figures: async () => [],
      exporter: null,
      current: async () => ({ id: 'shop', sinks, server: { publicUrl: null } }),
      openSink: async () => {
        if (!isOpen) throw new Error('no key is set');
        return { deliver: async () => ({ kind: 'delivered' }) };
      },
    });
    onTestFinished(() => delivery.stop());
    sinks = [{ sink: 'otel', config: {}, types: [] }];
    await delivery.reload();
    expect(delivery.counters()).toEqual([]);
    isOpen = true;
    await until(() => expect(clock.sleeping).toBe(3));
    await clock.advance(1000);
    await until(() => expect(delivery.counters()).toMatchObject([{ sink: 'kit.sink-otel#0' }]));
    expect(lines).toEqual([
      'event sink kit.sink-otel#0 is off, and tried again until it opens: no key is set',
      'event sink kit.sink-otel#0 is on again',
    ]);
  });
});
