import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.js';
import type { Random } from './random.js';
import { KINDS, type Kind, SHARES } from './workspace.js';

/** A run that the api accepted. */
export interface Accepted {
  readonly id: string;
  readonly kind: Kind;
}

export interface LoadOptions {
  readonly api: Api;
  readonly random: Random;
  readonly runs: number;
  /** No run is submitted after this; milliseconds of `performance.now()`. */
  readonly untilMs: number;
  /** Accepted runs that have not ended yet, at most. */
  readonly inFlight: number;
  /** Runs that have ended, as far as the follower of the log has seen. */
  readonly ended: () => number;
  readonly accepted: Accepted[];
  readonly problems: string[];
  readonly signal: AbortSignal;
}

const PAUSE_MS = 50;
const SUBMITTERS = 4;

/**
 * Submits the runs of a soak. Every submit carries a key of its own, and is repeated with it until
 * it is answered.
 */
export async function submitAll(options: LoadOptions): Promise<void> {
  const { runs, untilMs, inFlight, ended, accepted } = options;
  const kinds = Array.from({ length: runs }, () => kindOf(options.random));
  let begun = 0;
  const submitter = async (): Promise<void> => {
    while (begun < runs && performance.now() < untilMs) {
      options.signal.throwIfAborted();
      if (begun - ended() >= inFlight) {
        await sleep(PAUSE_MS);
        continue;
      }
      const n = begun;
      begun += 1;
      const kind = kinds[n] ?? 'plain';
      const { status, body } = await options.api.ask('submitter', {
        method: 'POST',
        path: `/run/${kind}`,
        headers: { 'idempotency-key': `soak-${n}` },
        body: { input: `run ${n}` },
      });
      if (status === 200) accepted.push({ id: (body as { readonly id: string }).id, kind });
      else options.problems.push(`submit ${n} of ${kind} was answered with ${status}: ${JSON.stringify(body)}`);
    }
  };
  await Promise.all(Array.from({ length: SUBMITTERS }, submitter));
}

function kindOf(random: Random): Kind {
  let left = random.between(1, 100);
  for (const kind of KINDS) {
    left -= SHARES[kind];
    if (left <= 0) return kind;
  }
  return 'plain';
}
