import type { StoreWriting } from '../../domain/ports/store-facts.js';
import { type Clock, onwardTime } from '../../domain/ports/system.js';
import type { StoreState } from './serve-app.js';

/** Nobody who asks often makes the store write often. */
const PROBE_EVERY_MS = 5_000;
/** A store that is busy or away is not an answer about its disk. */
const PATIENCE_MS = 1_000;

/** See `ServeApp.storeState`; one for each server. */
export function createStoreState(clock: Clock): (writing: StoreWriting) => Promise<StoreState> {
  const time = onwardTime(clock);
  let probedMs = Number.NEGATIVE_INFINITY;
  return async (writing) => {
    if (time() - probedMs >= PROBE_EVERY_MS) {
      probedMs = time();
      await inTime(clock, writing.probe());
    }
    switch (writing.trouble()) {
      case 'KIT_STORE_FULL':
        return 'store-full';
      case 'KIT_STORE_READ_ONLY':
        return 'store-read-only';
      case 'KIT_STORE_GONE':
        return 'store-gone';
      default:
        return 'ok';
    }
  };
}

async function inTime(clock: Pick<Clock, 'sleep'>, probe: Promise<void>): Promise<void> {
  const over = new AbortController();
  const quiet = (): undefined => undefined;
  await Promise.race([probe.catch(quiet), clock.sleep(PATIENCE_MS, over.signal).catch(quiet)]);
  over.abort('answered');
}
