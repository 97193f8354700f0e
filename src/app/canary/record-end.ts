import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { Job } from '../../domain/job.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Clock, Log } from '../../domain/ports/system.js';
import type { Workspace } from '../../domain/workspace.js';
import { allTo, earned, routeKey, weightsOf } from '../../govern/canary.js';

/** What counting the end of a run takes. */
export interface RecordDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly stores: Pick<Stores, 'serving' | 'events'>;
}

/** Without criteria a window still ends (docs/canary.md). */
const DEFAULT_WINDOW_MS = DEFAULTS.PromoteWhen.window_minutes * 60_000;
/** A page of the log; a run with more measured answers is judged by its newest. */
const MAX_DRIFTS = 1000;

/**
 * Counts a routed run that has ended, once, and moves all traffic to a version whose criteria are
 * met. Stopped and parked runs do not count: nothing is known of them yet. `route`: the digest that
 * the run's snapshot keeps; a route whose configuration changed since counts nothing any more.
 */
export async function recordEnd(
  deps: RecordDeps,
  workspace: Pick<Workspace, 'id' | 'server'>,
  ended: { readonly job: Job; readonly route: string },
): Promise<void> {
  const { job } = ended;
  const route = workspace.server.canary.find((entry) => routeKey(workspace.id, entry) === ended.route);
  const version = route?.versions.find((entry) => entry.version === job.version);
  if (route === undefined || version === undefined || (job.status !== 'completed' && job.status !== 'failed')) return;
  const { canary } = deps.stores.serving;
  const state = await canary.record(ended.route, {
    jobId: job.id,
    version: version.version,
    failed: job.status === 'failed',
    drift: await driftOf(deps.stores.events, job.id),
    windowMs: version.promoteWhen?.windowMs ?? DEFAULT_WINDOW_MS,
  });
  const weights = weightsOf(route, state.override);
  const winner = earned(route, { weights, counters: state.counters, nowMs: deps.clock.now() });
  if (winner === null) return;
  const promotion = {
    topology: route.topology,
    weights: allTo(route, winner),
    oldWeights: weights,
    counters: state.counters,
    by: 'promote_when',
    reason: 'criteria' as const,
  };
  // Another server that sees the same counters may have been faster; then there is nothing left to
  // do.
  const done = await canary.override(ended.route, promotion, state.override?.at ?? null);
  if (done) deps.log.info('canary version promoted', { topology: route.topology, version: winner });
}

/**
 * Mean drift of the answers that the run gave: per activation the last that was measured, a nudge
 * included. null = none was.
 */
async function driftOf(events: Stores['events'], jobId: string): Promise<number | null> {
  const found = await events.readNewest({ jobId, types: ['intent.drift'], limit: MAX_DRIFTS });
  const last = new Map<string, number>();
  for (const event of found) {
    if (event.type !== 'intent.drift' || last.has(event.payload.activation)) continue;
    last.set(event.payload.activation, event.payload.drift_score);
  }
  return last.size === 0 ? null : [...last.values()].reduce((sum, score) => sum + score, 0) / last.size;
}
