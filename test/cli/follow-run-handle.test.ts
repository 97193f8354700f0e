import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { RunHandle } from '../../src/app/runs/runs-app.js';
import { followHandle } from '../../src/cli/follow-run-handle.js';
import type { RunScreen } from '../../src/cli/run-screen.js';
import type { Job } from '../../src/domain/job.js';

/** A run that ends when it is cut off, and otherwise when the test lets it. */
function scene(patienceMs: number) {
  const events = new EventEmitter();
  const over = Promise.withResolvers<Job>();
  const job = { id: '0123456789ab', status: 'stopped' } as Job;
  const did: string[] = [];
  const handle = {
    job,
    done: over.promise,
    // biome-ignore lint/correctness/useYield: a run that tells nothing
    events: async function* () {
      await over.promise;
    },
    stop: async () => {
      did.push('stop');
    },
    abort: () => {
      did.push('abort');
      over.resolve(job);
    },
  } as unknown as RunHandle;
  const screen = {
    say: (text: string) => did.push(text),
    onInterrupt: () => {},
    event: () => {},
    text: null,
    end: async () => {},
    close: () => {},
  } as unknown as RunScreen;
  const followed = followHandle({ handle, afterSeq: 0, screen, events: events as never, by: 'ada', patienceMs });
  return { did, events, followed, end: () => over.resolve(job) };
}

describe('a log that cannot be read for a while', () => {
  const job = { id: '0123456789ab', status: 'completed' } as Job;
  const follow = (over: Partial<RunHandle>) => {
    const seen: number[] = [];
    const screen = {
      onInterrupt: () => {},
      event: ({ seq }: { readonly seq: number }) => seen.push(seq),
      text: null,
      end: async () => {},
      close: () => {},
    } as unknown as RunScreen;
    const handle = { job, ...over } as unknown as RunHandle;
    const followed = followHandle({ handle, afterSeq: 0, screen, events: new EventEmitter() as never, by: 'ada' });
    return { seen, followed };
  };
  const event = (seq: number) => ({ seq, type: 'run.stopped', payload: {}, timestamp: '2026' }) as never;

  it('ends no run: what was not shown is shown when it has ended', async () => {
    const over = Promise.withResolvers<Job>();
    const asked: number[] = [];
    const { seen, followed } = follow({
      done: over.promise,
      events: async function* (afterSeq: number) {
        asked.push(afterSeq);
        yield event(afterSeq + 1);
        if (asked.length === 1) {
          setImmediate(() => over.resolve(job));
          throw new Error('Cannot use a pool after calling end on the pool');
        }
      },
    });

    expect((await followed).job).toBe(job);
    expect(asked).toEqual([0, 1]);
    expect(seen).toEqual([1, 2]);
  });

  it('takes nothing from the words of a run that could not go on', async () => {
    const { followed } = follow({
      done: Promise.reject(new Error('the journal could not be written any more')),
      events: async function* () {
        await new Promise((resolve) => setImmediate(resolve));
        throw new Error('Cannot use a pool after calling end on the pool');
      },
    });

    // A second rejection that nobody watches would end the test run.
    await expect(followed).rejects.toThrow('the journal could not be written any more');
    await new Promise((resolve) => setTimeout(resolve, 5));
  });
});

describe('the first signal', () => {
  it('holds nobody for ever who waits for a step that does not end: it is cut off, and that is said', async () => {
    const { did, events, followed } = scene(20);

    events.emit('SIGTERM', 'SIGTERM');
    const { wasAborted } = await followed;

    expect(did).toEqual([
      expect.stringMatching(/^stopping 0123456789ab: .*\(0\.02 s at most\)/),
      'stop',
      'the steps in flight have not ended within 0.02 s; they are cut off',
      'abort',
    ]);
    // Nobody asked twice: the run is stopped, as after any first signal.
    expect(wasAborted).toBe(false);
  });

  it('cuts off nothing that ends in time', async () => {
    const { did, events, followed, end } = scene(600_000);

    events.emit('SIGTERM', 'SIGTERM');
    end();
    await followed;

    expect(did).toHaveLength(2);
    expect(did[1]).toBe('stop');
  });
});
