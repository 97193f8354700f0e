import type { ErrorCode } from '../../domain/error-registry.js';
import type { StoreWriting } from '../../domain/ports/store-facts.js';
import { type Clock, onwardTime } from '../../domain/ports/system.js';
import type { StoreState } from './serve-app.js';

/** Nobody who asks often makes the store write often. */
const PROBE_EVERY_MS = 5_000;
/** Who asks is answered by what is known; what the store says later counts for the next one. */
const PATIENCE_MS = 1_000;

const STATES: ReadonlyMap<ErrorCode, StoreState> = new Map([
  ['KIT_STORE_FULL', 'store-full'],
  ['KIT_STORE_READ_ONLY', 'store-read-only'],
  ['KIT_STORE_GONE', 'store-gone'],
  ['KIT_STORE_CORRUPT', 'store-corrupt'],
  ['KIT_STORE_UNAVAILABLE', 'store-unavailable'],
]);

/** See `ServeApp.storeState`; one for each server. */
export function createStoreState(clock: Clock): (writing: StoreWriting) => Promise<StoreState> {
  const time = onwardTime(clock);
  let probedMs = Number.NEGATIVE_INFINITY;
  return async (writing) => {
    if (time() - probedMs >= PROBE_EVERY_MS) {
      probedMs = time();
      await inTime(clock, writing.probe());
    }
    const trouble = writing.trouble();
    return (trouble === null ? undefined : STATES.get(trouble)) ?? 'ok';
  };
}

async function inTime(clock: Pick<Clock, 'sleep'>, probe: Promise<void>): Promise<void> {
  const over = new AbortController();
  const quiet = (): undefined => undefined;
  await Promise.race([probe.catch(quiet), clock.sleep(PATIENCE_MS, over.signal).catch(quiet)]);
  over.abort('answered');
}
