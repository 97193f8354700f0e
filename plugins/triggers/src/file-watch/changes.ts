import { elapsedMs, type PluginContext } from '@kit-run/kit/plugin';

/** What happened to a file. */
export type Change = 'create' | 'modify' | 'delete';

/**
 * A file is reported when nothing has happened to it for this long
 * (docs/design/decisions.md#watched-files).
 */
export const QUIET_MS = 1000;
/** A file that never rests is reported all the same. */
const LONGEST_MS = 10_000;

interface Pending {
  readonly existedBefore: boolean;
  existsNow: boolean;
  readonly firstMs: number;
  lastMs: number;
}

/**
 * What several changes come to; null = nothing (a file that came and went). A file that was
 * replaced by a rename is modified.
 */
function netOf({ existedBefore, existsNow }: Pick<Pending, 'existedBefore' | 'existsNow'>): Change | null {
  if (existsNow) return existedBefore ? 'modify' : 'create';
  return existedBefore ? 'delete' : null;
}

/** Gathers what happens to each file until it rests, and reports it once. */
export function gatherChanges(
  { clock }: Pick<PluginContext, 'clock'>,
  to: { readonly signal: AbortSignal; readonly onChange: (path: string, change: Change) => void },
): (path: string, change: Change) => void {
  const pending = new Map<string, Pending>();
  const dueOf = ({ firstMs, lastMs }: Pending): number => Math.min(lastMs + QUIET_MS, firstMs + LONGEST_MS);
  const settle = async (path: string, one: Pending): Promise<void> => {
    for (let leftMs = dueOf(one) - elapsedMs(clock); leftMs > 0; leftMs = dueOf(one) - elapsedMs(clock))
      await clock.sleep(leftMs, to.signal);
    pending.delete(path);
    const net = netOf(one);
    if (net !== null && !to.signal.aborted) to.onChange(path, net);
  };
  return (path, change) => {
    const nowMs = elapsedMs(clock);
    const known = pending.get(path);
    if (known !== undefined) {
      known.existsNow = change !== 'delete';
      known.lastMs = nowMs;
      return;
    }
    const one: Pending = {
      existedBefore: change !== 'create',
      existsNow: change !== 'delete',
      firstMs: nowMs,
      lastMs: nowMs,
    };
    pending.set(path, one);
    settle(path, one).catch(() => pending.delete(path)); // the signal: the trigger stops
  };
}
