import type { Job } from '../domain/job.js';
import type { RunEnd } from '../domain/journal.js';
import type { WorkerHost } from '../domain/ports/stores.js';

/**
 * Takeovers, and times that a worker gave the job up, since the last finished step after which a
 * job is given up (docs/design/journal.md#crashes).
 */
export const CRASH_LIMIT = 3;

export type Ending = Pick<RunEnd, 'status' | 'reason' | 'error'>;

export type Recovery =
  | { readonly kind: 'requeue'; readonly crashes: number }
  | { readonly kind: 'end'; readonly end: Ending; readonly crashes: number };

/** What is known of a lease when somebody else looks at it. */
export interface LeaseFacts {
  /** Where the holder runs; null for a lease without host facts. */
  readonly holder: WorkerHost | null;
  readonly leaseUntil: string;
}

export interface Observer {
  readonly host: WorkerHost;
  readonly now: string;
  /** Null when no process with this pid lives. */
  readonly processStartOf: (pid: number) => string | null;
}

/** What a host says of itself where the platform does not tell. */
const UNKNOWN = 'unknown';

/**
 * On the same host and boot the process decides: a dead one is taken over at once, a living one
 * never by time alone. Anywhere else the store's clock does (docs/design/journal.md#same-host), and
 * so it does where the platform names no boot or start.
 */
export function isLeaseOver(lease: LeaseFacts, observer: Observer): boolean {
  const { holder } = lease;
  if (holder === null || !isSameBoot(holder, observer.host)) return lease.leaseUntil < observer.now;
  return observer.processStartOf(holder.pid) !== holder.processStart;
}

function isSameBoot(holder: WorkerHost, host: WorkerHost): boolean {
  return (
    holder.hostname === host.hostname &&
    holder.bootId === host.bootId &&
    holder.bootId !== UNKNOWN &&
    holder.processStart !== UNKNOWN
  );
}

/**
 * What becomes of a job whose holder is gone (docs/design/journal.md#takeover,
 * docs/design/journal.md#stop, docs/design/journal.md#crashes). `stepKey`: the step it died in, if
 * one was under way.
 */
export function recoveryOf(
  job: Pick<Job, 'stopRequestedAt' | 'stopRequestedBy' | 'recover' | 'crashes'>,
  stepKey: string | null,
): Recovery {
  if (job.stopRequestedAt !== null)
    return { kind: 'end', end: stoppedOnRequest(job.stopRequestedBy), crashes: job.crashes };
  if (job.recover === 'manual')
    return {
      kind: 'end',
      end: { status: 'stopped', reason: 'process_died', error: 'its process died' },
      crashes: job.crashes,
    };
  const crashes = job.crashes + 1;
  if (crashes < CRASH_LIMIT) return { kind: 'requeue', crashes };
  return {
    kind: 'end',
    end: {
      status: 'failed',
      reason: 'crash_loop',
      error: `its worker died ${crashes} times ${placeOf(stepKey)} without finishing a step`,
    },
    crashes,
  };
}

/** Of what a store or a program said, as much as tells what happened. */
const WHY_CHARS = 300;

/**
 * What becomes of a job that its own living worker cannot go on with: as after a takeover, each
 * time counts, until a step finishes. It is claimable again whatever its `recover` says, because
 * its worker is there to try.
 */
export function givenUpOf(
  job: Pick<Job, 'crashes'>,
  of: { readonly why: string; readonly stepKey: string | null },
): Recovery {
  const crashes = job.crashes + 1;
  if (crashes < CRASH_LIMIT) return { kind: 'requeue', crashes };
  const error = `given up ${crashes} times ${placeOf(of.stepKey)} without finishing a step: ${of.why.slice(0, WHY_CHARS)}`;
  return { kind: 'end', end: { status: 'failed', reason: 'crash_loop', error }, crashes };
}

const placeOf = (stepKey: string | null): string => (stepKey === null ? 'before its first step' : `in step ${stepKey}`);

/** How a run ends that nobody executes any more when its stop is seen. */
export function stoppedOnRequest(by: string | null): Ending {
  return {
    status: 'stopped',
    reason: 'stop_requested',
    error: by === null ? 'a stop was requested' : `stopped by ${by}`,
  };
}
