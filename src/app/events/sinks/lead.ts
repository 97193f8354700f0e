import type { ServingStore } from '../../../domain/ports/serving.js';
import type { Clock, Log } from '../../../domain/ports/system.js';

/** A server that died is followed by another one after this long. */
export const TTL_MS = 15_000;
const RENEW_MS = TTL_MS / 3;

/** One span of time in which this server delivers. What it delivers begins after `from`. */
export interface Term {
  readonly from: string;
}

export interface LeadParts {
  readonly serving: Pick<ServingStore, 'lead' | 'yieldLead'>;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Where a term begins. `isTakeover`: there was a term before, of another server that may have
   * died with what it had not delivered, or of this one, which could not renew it in time.
   */
  readonly begin: (isTakeover: boolean) => Promise<string>;
  /** One lead for each workspace of a database. */
  readonly name: string;
  readonly holder: string;
}

/** Among all servers of a database one delivers: two would push every event twice. */
export interface Lead {
  /**
   * The term that lasts now; null while another server delivers, or when this one could not renew
   * in time.
   */
  term(): Term | null;
  /** Takes the lead or renews it, once. */
  renew(): Promise<void>;
  /** Renews until the signal aborts, then gives the lead away. */
  keep(signal: AbortSignal): Promise<void>;
}

export function createLead({ serving, begin, clock, log, name, holder }: LeadParts): Lead {
  let term: Term | null = null;
  let untilMs = 0;
  let wasRefused = false;
  const last = (): Term | null => (clock.now() < untilMs ? term : null);
  const renew = async (): Promise<void> => {
    const askedMs = clock.now();
    if (!(await serving.lead(name, holder, TTL_MS))) {
      term = null;
      wasRefused = true;
      return;
    }
    term = last() ?? { from: await begin(wasRefused || term !== null) };
    wasRefused = false;
    untilMs = askedMs + TTL_MS;
  };
  return {
    term: last,
    renew,
    keep: async (signal) => {
      while (!signal.aborted) {
        await clock.sleep(RENEW_MS, signal).catch(() => undefined);
        if (signal.aborted) break;
        await renew().catch((error: unknown) =>
          log.warn('the lead of the event sinks could not be renewed', { error }),
        );
      }
      term = null;
      await serving.yieldLead(name, holder).catch(() => undefined); // it runs out by itself
    },
  };
}
