import { type Clock, type ExecutorRequest, elapsedMs } from '@kit-run/kit/plugin';
import type { Breach } from '../interpret/conclude.js';
import type { HarnessState } from '../interpret/fold.js';
import { type SessionPrices, totalUsage } from '../interpret/usage.js';

type Budget = ExecutorRequest['budget'];

/**
 * A budget that the stream shows to be spent. Wall clock is the process room's timer, idleness the
 * timer below.
 */
export function spentBudget(state: HarnessState, budget: Budget, priced: SessionPrices): Breach | null {
  if (budget.maxTurns !== null && state.turns > budget.maxTurns) return 'max_turns';
  const costUsd = totalUsage(state.usage, priced)?.costUsd ?? null;
  return budget.maxCostUsd !== null && costUsd !== null && costUsd > budget.maxCostUsd ? 'max_cost' : null;
}

/** What the idle timer looks at, kept current by the reader of the stream. */
export interface Activity {
  lastLineAt: number;
  openCalls: number;
  /** Calls of kit's own tools that are under way. */
  readonly ownCalls: () => number;
}

const isCalling = ({ openCalls, ownCalls }: Readonly<Activity>): boolean => openCalls > 0 || ownCalls() > 0;

/**
 * Resolves once the harness was silent for `maxIdleMs` with no tool call open; rejects when
 * `signal` ends the watch. A test suite inside a harness prints nothing for minutes: an open call
 * counts as activity, the wall clock bounds it.
 */
export async function idleFor(
  maxIdleMs: number,
  activity: Readonly<Activity>,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  let waitMs = maxIdleMs;
  while (waitMs > 0) {
    await clock.sleep(waitMs, signal);
    waitMs = isCalling(activity) ? maxIdleMs : activity.lastLineAt + maxIdleMs - elapsedMs(clock);
  }
}

/**
 * Says each `everyMs` that the harness said nothing, until `signal` ends the watch, which rejects:
 * a program that waits for a network that is not there looks like one that thinks.
 */
export async function reportSilence(
  everyMs: number,
  of: { readonly activity: Readonly<Activity>; readonly clock: Clock; readonly signal: AbortSignal },
  report: (text: string) => Promise<void>,
): Promise<never> {
  const { activity, clock, signal } = of;
  for (let waitMs = everyMs; ; ) {
    await clock.sleep(waitMs, signal);
    const silentMs = elapsedMs(clock) - activity.lastLineAt;
    waitMs = silentMs < everyMs ? everyMs - silentMs : everyMs;
    if (silentMs < everyMs) continue;
    const seconds = Math.round(silentMs / 1000);
    await report(isCalling(activity) ? `a tool call is open for ${seconds} s` : `no sign of life for ${seconds} s`);
  }
}
