import { expect, it } from 'vitest';
import { type Activity, reportSilence } from '../../../plugins/harness/src/run/guard.js';
import type { Clock } from '../../../src/sdk/plugin.js';

it('tells each minute of silence, and says where a tool is at work instead', async () => {
  const activity: Activity = { lastLineAt: 0, openCalls: 0, ownCalls: () => 0 };
  const watch = new AbortController();
  const reported: string[] = [];
  let now = 0;
  // What happens at a time, as the clock comes by it.
  const script: Readonly<Record<number, () => void>> = {
    60000: () => undefined,
    120000: () => {
      activity.lastLineAt = 100_000;
    },
    160000: () => {
      activity.openCalls = 1;
    },
    220000: () => watch.abort(),
  };
  const clock: Pick<Clock, 'now' | 'sleep'> = {
    now: () => now,
    sleep: async (ms) => {
      now += ms;
      script[now]?.();
      if (watch.signal.aborted) throw new Error('over');
    },
  };

  const end = reportSilence(60_000, { activity, clock: clock as Clock, signal: watch.signal }, async (text) => {
    reported.push(`${now / 1000}: ${text}`);
  });

  await expect(end).rejects.toThrow('over');
  expect(reported).toEqual(['60: no sign of life for 60 s', '160: a tool call is open for 60 s']);
});
