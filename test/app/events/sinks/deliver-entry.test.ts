import { describe, expect, it } from 'vitest';
import { deliverEntry, type Receiver } from '../../../../src/app/events/sinks/deliver-entry.js';
import type { LogEntry } from '../../../../src/domain/log-entry.js';
import type { SinkOutcome } from '../../../../src/domain/ports/sinks.js';
import { TestClock } from '../../../../src/testing/test-clock.js';

const ENTRY = { event_id: 'e-1' } as LogEntry; // no sink of these tests reads more
const FAILED: SinkOutcome = { kind: 'failed', detail: 'no' };

/**
 * Runs the clock on until the delivery has ended; answers when each call began and how it ended.
 */
async function deliver(outcomes: readonly (SinkOutcome | 'hang' | 'throw')[], random = 0) {
  const clock = new TestClock(0);
  const startedMs: number[] = [];
  const signals: AbortSignal[] = [];
  const sink: Receiver = {
    deliver: (_entry, signal) => {
      const outcome = outcomes[startedMs.length];
      startedMs.push(clock.now());
      signals.push(signal);
      if (outcome === 'throw') throw new Error('it broke');
      return outcome === 'hang' || outcome === undefined ? new Promise(() => {}) : Promise.resolve(outcome);
    },
  };
  const ending = new AbortController();
  const delivered = deliverEntry(sink, ENTRY, { clock, random: () => random, signal: ending.signal });
  let ended = false;
  void delivered.then(() => {
    ended = true;
  });
  for (let step = 0; !ended && step < 400; step += 1) await clock.advance(100);
  ending.abort();
  return {
    delivered: await delivered,
    startedMs,
    aborted: signals.map((signal) => signal.aborted),
    sleeping: clock.sleeping,
  };
}

describe('one event at one sink', () => {
  it('is tried three times, 0.5 s and 2 s apart', async () => {
    const { delivered, startedMs } = await deliver([FAILED, FAILED, FAILED]);
    expect(delivered).toEqual({ kind: 'failed', detail: 'no', attempts: 3 });
    expect(startedMs).toEqual([0, 500, 2500]);
  });

  it('waits longer by up to a quarter, so that sinks do not come back together', async () => {
    expect((await deliver([FAILED, FAILED, FAILED], 0.999)).startedMs.at(-1)).toBeGreaterThan(3000);
  });

  it('is not tried again once it was rejected', async () => {
    const { delivered, startedMs } = await deliver([{ kind: 'rejected', detail: 'never' }]);
    expect(delivered).toEqual({ kind: 'rejected', detail: 'never', attempts: 1 });
    expect(startedMs).toHaveLength(1);
  });

  it('is delivered by a later attempt', async () => {
    expect((await deliver([FAILED, 'throw', { kind: 'delivered' }])).delivered).toEqual({ kind: 'delivered' });
  });

  it('gives a sink 10 s, also one that does not listen to its signal', async () => {
    const { delivered, startedMs, aborted } = await deliver(['hang', 'hang', 'hang']);
    expect(delivered).toEqual({ kind: 'failed', detail: 'it did not answer within 10 s', attempts: 3 });
    expect(startedMs).toEqual([0, 10_500, 22_500]);
    expect(aborted).toEqual([true, true, true]);
  });

  it('leaves no timer behind', async () => {
    expect((await deliver([FAILED, { kind: 'delivered' }])).sleeping).toBe(0);
  });

  it('ends with the server in the middle of an attempt and of a pause', async () => {
    for (const outcome of [new Promise<SinkOutcome>(() => {}), Promise.resolve(FAILED)]) {
      const clock = new TestClock(0);
      const ending = new AbortController();
      const delivered = deliverEntry({ deliver: () => outcome }, ENTRY, {
        clock,
        random: () => 0,
        signal: ending.signal,
      });
      await clock.advance(100);
      ending.abort();
      expect(await delivered).toEqual({ kind: 'stopped' });
    }
  });
});
