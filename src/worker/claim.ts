import { isKitError, messageOf } from '../domain/errors.js';
import { foldDiffs, foldUsage } from '../domain/fold-usage.js';
import type { RunEnd, StepRow } from '../domain/journal.js';
import { HurriedAbort } from '../domain/ports/system.js';
import type { Wait } from '../domain/wait.js';
import { JournalSession } from '../engine/journal-session.js';
import type { RunOutcome } from '../engine/judge-run.js';
import { passingResults } from '../engine/passing-results.js';
import { interpretRun, type RunParts } from '../engine/run.js';
import { Steps } from '../engine/steps.js';
import { onAbort } from '../lib/on-abort.js';
import { type AbortCause, type EndedOutcome, endOf } from './end-of.js';
import { failureOf, type Lost, lostBy, thrownText } from './failure-of.js';
import { startTimer } from './job-timer.js';
import { withFigures } from './keep-figures.js';
import { LeaseKeeper } from './lease-keeper.js';
import type { Claimed } from './open-claim.js';
import { parkedResult } from './parked-result.js';
import { retryingStores } from './retrying-stores.js';
import { parkedNeeds, restMsOf, runParkedWrite, runWaitingWrite } from './run-ended.js';
import type { RunJobDeps, RunJobResult } from './run-job-deps.js';
import type { RunJobOptions } from './run-job-options.js';
import { stopChildren } from './stop-children.js';
import { isStoreTrouble } from './store-errors.js';
import { writeEnd } from './write-end.js';

const HURRY = 'the run was interrupted';

/**
 * `lapsed`: the lease ran out while this process stood still, but nobody took the run; or what it
 * was to wait for was settled while it parked. It goes on from its journal, like any other
 * takeover.
 */
export type ClaimResult = RunJobResult | { readonly kind: 'lapsed' };

const waitsOf = (outcome: RunOutcome): readonly Wait[] => (outcome.kind === 'parked' ? outcome.waits : []);

type Parts = { session: JournalSession; keeper: LeaseKeeper };
type Rest = Parts & { restMs: number; waits: readonly Wait[]; options: RunJobOptions };

/** The state of one claim: its task scope, its lease, and why the scope was aborted. */
export class Claim {
  readonly #deps: RunJobDeps;
  readonly #claimed: Claimed;
  readonly #scope = new AbortController();
  #cause: AbortCause | null = null;
  #lostAs: Lost = { kind: 'lost' };
  /** By this process's clock: no later than the lease begins. */
  leaseAtMs: number;

  constructor(deps: RunJobDeps, claimed: Claimed) {
    this.#deps = deps;
    this.#claimed = claimed;
    this.leaseAtMs = claimed.leaseAtMs;
  }

  async run(options: RunJobOptions): Promise<ClaimResult> {
    const { stores, clock } = this.#deps;
    const { job, fence, rows } = this.#claimed;
    const session = this.#session(rows);
    const keeper = this.#keeper();
    const executed = { clock, timeoutMs: job.timeoutMs, executedMs: () => keeper.executedMs() };
    const endTimer = startTimer(executed, () => this.#abort('timeout'));
    const unsubscribes = [
      onAbort(options.abort, () => this.#abort('interrupted', HURRY)),
      onAbort(options.leave, () => this.#leave(session)),
    ];
    keeper.start();
    try {
      const outcome = await this.#interpret({ session, keeper, options });
      endTimer();
      await keeper.stop();
      const restMs = options.rests === true && outcome.kind === 'parked' ? restMsOf(outcome.waits) : null;
      if (restMs !== null) return await this.#rest({ restMs, waits: waitsOf(outcome), session, keeper, options });
      if (outcome.kind === 'parked') return await this.#park({ waits: outcome.waits, session, keeper });
      if (outcome.kind !== 'unfinished') return await this.#end({ outcome, session, keeper });
      await keeper.lastBeat();
      // Where the fence still holds (the store was away for a moment), results in hand need not be
      // made again.
      if (this.#cause === 'lease_lost') return await session.flush().then(this.#lost, this.#lost);
      if (outcome.kind === 'unfinished' && outcome.reason === 'lease_over' && this.#cause === null) {
        await session.flush();
        return { kind: 'lapsed' };
      }
      if (
        outcome.kind === 'unfinished' &&
        outcome.reason === 'stop' &&
        !(await stores.jobs.isStopRequested(fence.jobId))
      ) {
        await session.flush();
        await stores.jobs.release(fence);
        return { kind: 'released' };
      }
      return await this.#end({ outcome, session, keeper });
    } catch (error) {
      if (isStoreTrouble(error)) this.#giveUp(error);
      if (this.#cause === 'lease_lost' || (isKitError(error) && error.code === 'KIT_LEASE_LOST')) return this.#lost();
      await keeper.stop();
      return await this.#end({ outcome: failureOf(error), session, keeper });
    } finally {
      endTimer();
      for (const unsubscribe of unsubscribes) unsubscribe();
      await keeper.stop();
      this.leaseAtMs = Math.max(this.leaseAtMs, keeper.renewedAt());
    }
  }

  #session(rows: readonly StepRow[]): JournalSession {
    const { stores, defer, openFigures } = this.#deps;
    const { fence } = this.#claimed;
    const counted = withFigures(openFigures, this.#claimed);
    return new JournalSession({
      rows,
      defer,
      commit: (batches) => stores.runs.commit(fence, ...batches.map(counted)),
      onBroken: (error) => {
        this.#deps.log.warn('the journal can no longer be written', {
          job: fence.jobId,
          error: messageOf(error),
        });
        this.#giveUp(error);
      },
    });
  }

  #keeper(): LeaseKeeper {
    const { stores, clock, leaseMs, log } = this.#deps;
    const { job, fence, leaseAtMs } = this.#claimed;
    return new LeaseKeeper(
      { jobs: stores.jobs, fence, leaseMs, clock, log, onLost: () => this.#abort('lease_lost') },
      { atMs: leaseAtMs, executedMs: job.executedMs },
    );
  }

  /**
   * The store failed this claim, by what it said: the run goes on from its journal, here or
   * elsewhere.
   */
  #giveUp(error: unknown): void {
    // What the store said first is the cause of what it says later.
    this.#lostAs = { ...lostBy(error, this.#claimed.facilities.mask), ...this.#lostAs };
    this.#abort('lease_lost');
  }

  readonly #lost = (): RunJobResult => this.#lostAs;

  /**
   * What is cut off is written by nobody: whoever claims the run next sees a step that was under
   * way.
   */
  #leave(session: JournalSession): void {
    session.leave();
    this.#abort('lease_lost', HURRY);
  }

  #abort(cause: AbortCause, reason?: string): void {
    this.#cause ??= cause;
    this.#scope.abort(reason === undefined ? undefined : new HurriedAbort(reason));
  }

  #interpret(run: Parts & { options: RunJobOptions }): Promise<RunOutcome> {
    const { stores, clock, log } = this.#deps;
    const { job, snapshot, facilities } = this.#claimed;
    const steps = new Steps({
      jobId: job.id,
      topologyId: job.topology,
      session: run.session,
      now: this.#claimed.storeNow,
      signal: this.#scope.signal,
      mask: facilities.mask,
      breach: facilities.breach,
      // What was thrown may quote a process, and with it a secret. A failure that kit knows stands
      // in the record as it is.
      onThrown: (key, error) =>
        log[isKitError(error) ? 'info' : 'error']('a step threw', {
          job: job.id,
          key,
          error: facilities.mask(thrownText(error)),
        }),
      effects: 'allow',
    });
    const asked = retryingStores(stores, {
      fence: this.#claimed.fence,
      owner: job.submittedBy.identity,
      facilities,
      clock,
      signal: this.#scope.signal,
      stop: run.options.stop,
      onFailed: (error) => this.#giveUp(error),
    });
    const services: RunParts = {
      ...facilities,
      jobId: job.id,
      correlationId: job.correlationId,
      traceParent: job.traceParent,
      snapshot,
      attachments: job.attachments,
      steps,
      clock,
      log,
      signal: this.#scope.signal,
      abort: () => this.#scope.abort(),
      ...asked,
      stopRequested: () => (run.options.drain?.aborted === true ? Promise.resolve(true) : asked.stopRequested()),
      lease: run.keeper,
    };
    // Nothing of the run executes when its lease is let go (docs/design/journal.md#one-scope): it
    // is kept until the servers of the run are gone.
    return this.#closing(interpretRun(services, job.input));
  }

  async #closing(outcome: Promise<RunOutcome>): Promise<RunOutcome> {
    try {
      return await outcome;
    } finally {
      await this.#claimed.facilities.closeServers(this.#scope.signal.reason);
    }
  }

  async #park(run: { waits: readonly Wait[]; session: JournalSession; keeper: LeaseKeeper }): Promise<ClaimResult> {
    const { stores } = this.#deps;
    const { job, fence, snapshot, facilities, storeNow } = this.#claimed;
    const waits = run.waits.map((wait) => ({ ...wait, text: facilities.mask(wait.text) }));
    const isWaiting = waits.every((wait) => wait.isUnderWay === true);
    const atMs = storeNow();
    const needs = parkedNeeds(job.needs, [...run.session.all()]);
    const write = isWaiting
      ? runWaitingWrite({ waits, ...needs })
      : runParkedWrite(job, { waits, autoResume: snapshot.autoResume ?? true, atMs, ...needs });
    // Last heartbeat, last results and the park: one commit. Nothing of the run executes when its
    // lease is gone (docs/design/journal.md#one-scope).
    await Promise.all([facilities.flush?.(), run.keeper.lastBeat(), run.session.finish(write)]);
    const rows = [...run.session.all()]; // read twice
    const result = parkedResult({
      fence,
      waitingOn: write.waitingOn,
      isWaiting,
      row: await stores.jobs.get(job.id),
      rows,
    });
    if (result.kind === 'ended') await stopChildren(facilities, { rows, log: this.#deps.log });
    return result;
  }

  async #rest({ restMs: waitMs, waits, options: { drain, stop }, ...run }: Rest): Promise<ClaimResult> {
    const { session, keeper } = run;
    const { stores, ...deps } = this.#deps;
    await Promise.all([keeper.lastBeat(), session.flush()]);
    const scope = { signal: this.#scope.signal, onLost: () => this.#abort('lease_lost'), drain, stop };
    const { remoteTasks } = this.#claimed.facilities;
    const of = { waitMs, leaseAtMs: keeper.renewedAt(), waits, rows: session.all(), remoteTasks };
    const { restOut } = await import('./rest-out.js');
    this.leaseAtMs = await restOut({ ...deps, ...scope, jobs: stores.jobs, fence: this.#claimed.fence }, of);
    if (this.#cause === null) return { kind: 'lapsed' };
    return this.#end({ outcome: { kind: 'unfinished', reason: 'abort' }, ...run });
  }

  /**
   * Everything of the run is over here: the scope was awaited before any final status is written
   * (docs/design/journal.md#one-scope).
   */
  async #end(run: { outcome: EndedOutcome; session: JournalSession; keeper: LeaseKeeper }): Promise<RunJobResult> {
    const { stores, log } = this.#deps;
    const { job, snapshot, facilities, storeNow } = this.#claimed;
    const { outcome, session } = run;
    const rows = [...session.all()];
    // Who asked for a stop stands on the row; any other outcome says all there is to say.
    const row = outcome.kind === 'unfinished' ? await stores.jobs.get(job.id) : null;
    const verdict = endOf({ outcome, cause: this.#cause, job: row ?? job });
    if (verdict === null) return this.#lost();
    await stopChildren(facilities, { rows, log });
    const end: RunEnd = facilities.mask({
      ...verdict,
      usage: foldUsage(rows),
      diffs: foldDiffs(rows),
      endedAt: new Date(storeNow()).toISOString(),
    });
    // Last heartbeat, last results and end: one commit.
    const [, , written] = await Promise.all([
      facilities.flush?.(),
      run.keeper.lastBeat(),
      writeEnd(
        { log, commit: (write) => session.finish(write) },
        { job, end, discard: passingResults(rows, snapshot.skills) },
      ),
    ]);
    return written.kind === 'lost' ? this.#lost() : written;
  }
}
