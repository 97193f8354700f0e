import { KitError } from '../../../domain/errors.js';
import type { Clock } from '../../../domain/ports/system.js';
import type { CrashFailure, CrashPoint, CrashReport } from '../../../view/doctor-report.js';
import { choosePoints } from './choose-points.js';
import { type CrashVerdict, compareRuns, type RunRecord, type ShownEvent } from './compare-runs.js';

/** How a process of a case ended. */
export type CaseEnd =
  /** It killed itself at its point. */
  | { readonly kind: 'killed' }
  /** It carried the run to its end. */
  | { readonly kind: 'carried' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string; readonly hint: string | null };

/** One run in a store of its own. */
export interface CrashCase {
  /** A process that goes on with the run as far as it gets; with a point it kills itself there. */
  run(point: CrashPoint | null): Promise<CaseEnd>;
  /** Points that the processes of this case have come by. */
  hits(): Promise<readonly CrashPoint[]>;
  /** What they have shown of the run. */
  shown(): Promise<readonly ShownEvent[]>;
  /** What is durable of the run; null = nothing. */
  record(): Promise<RunRecord | null>;
  /** Removes the store. Idempotent. */
  dispose(): Promise<void>;
}

/** A place for scratch stores of the kind that the user has. */
export interface CrashPlace {
  readonly store: CrashReport['store'];
  open(): Promise<CrashCase>;
}

/** Which points to try, and who hears of it. */
export interface CrashRequest {
  /** Chooses and orders the points; any integer. */
  readonly seed: number;
  /** Part of the points, > 0 and <= 1. */
  readonly share: number;
  /** Told after each point. */
  readonly onProgress: (report: CrashReport) => void;
  /** Ends it early: the report says how far it came. */
  readonly signal: AbortSignal;
}

/** Stores that are open at once: each has a process and a few connections. */
const AT_ONCE = 3;
/**
 * How many results one commit holds depends on which of two children is faster, so a late point may
 * lie behind the end of the run.
 */
const TRIES = 4;

/**
 * Runs the built-in run once undisturbed, then once for each of its fault points: its process kills
 * itself there, another goes on, and both ends are compared. Throws what the store throws when not
 * even the undisturbed run ends.
 */
export async function enumerateCrashes(
  place: CrashPlace,
  clock: Pick<Clock, 'now'>,
  request: CrashRequest,
): Promise<CrashReport> {
  const startedMs = clock.now();
  const { reference, points } = await runUndisturbed(place, request.signal);
  const chosen = choosePoints(points, request);
  const left = [...chosen];
  const verdicts: { readonly point: CrashPoint; readonly verdict: CrashVerdict }[] = [];
  const report = (): CrashReport => ({
    store: place.store,
    points: points.length,
    chosen: chosen.length,
    tried: verdicts.length,
    recovered: verdicts.filter(({ verdict }) => verdict.violations.length === 0).length,
    repeated: sum(verdicts.map(({ verdict }) => verdict.repeated)),
    lost: sum(verdicts.map(({ verdict }) => verdict.lost)),
    seed: request.seed,
    elapsedMs: clock.now() - startedMs,
    failures: verdicts.flatMap(({ point, verdict: { violations } }): readonly CrashFailure[] =>
      violations.length === 0 ? [] : [{ point, violations }],
    ),
  });
  const lane = async (): Promise<void> => {
    for (let point = left.shift(); point !== undefined && !request.signal.aborted; point = left.shift()) {
      const verdict = await crashAt(place, point, reference);
      if (request.signal.aborted) return; // its processes were ended from outside
      verdicts.push({ point, verdict });
      request.onProgress(report());
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return report();
}

/** Of a run that was cut off from outside: nothing is compared with it. */
const NOTHING: RunRecord = { status: '', reason: null, output: null, steps: [], events: [], decisions: [] };

async function runUndisturbed(
  place: CrashPlace,
  signal: AbortSignal,
): Promise<{ readonly reference: RunRecord; readonly points: readonly CrashPoint[] }> {
  const one = await place.open();
  try {
    const end = await one.run(null);
    if (signal.aborted) return { reference: NOTHING, points: [] };
    if (end.kind === 'failed')
      throw new KitError(
        'KIT_STORE_UNAVAILABLE',
        `the built-in run cannot be carried out: ${end.message}`,
        hintOf(end),
      );
    const reference = await one.record();
    if (reference === null) throw new KitError('KIT_INTERNAL', 'the built-in run left nothing in its store');
    return { reference, points: await one.hits() };
  } finally {
    await one.dispose();
  }
}

const hintOf = ({ hint }: Extract<CaseEnd, { readonly kind: 'failed' }>) => (hint === null ? {} : { hint });

async function crashAt(place: CrashPlace, point: CrashPoint, reference: RunRecord): Promise<CrashVerdict> {
  for (let tried = 1; ; tried++) {
    const one = await place.open();
    try {
      const first = await one.run(point);
      if (first.kind === 'carried' && tried < TRIES) continue;
      if (first.kind !== 'killed')
        return failed(first.kind === 'carried' ? 'the run came to its end before this point' : first.message);
      const shown = await one.shown();
      const second = await one.run(null);
      if (second.kind === 'failed') return failed(`nobody could go on with it: ${second.message}`);
      const record = await one.record();
      if (record === null) return failed('the run is gone');
      return compareRuns(record, reference, shown);
    } finally {
      await one.dispose();
    }
  }
}

const failed = (violation: string): CrashVerdict => ({ violations: [violation], repeated: 0, lost: 0 });

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
