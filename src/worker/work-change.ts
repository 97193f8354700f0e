import type { Job } from '../domain/job.js';
import type { RunJobResult } from './run-job-deps.js';

/**
 * What a process that works tells of its runs: each claim, and how each claim ended here.
 * `given-back`: it drains, and the run goes on where it is claimed next. `lost`: another process
 * has the run, or will; `why` is what the store refused of it, null where it refused nothing.
 */
export type WorkChange =
  | { readonly kind: 'claimed'; readonly job: Job }
  | {
      readonly kind: 'ended';
      readonly job: Job;
      readonly status: string;
      readonly reason: string | null;
      readonly error: string | null;
    }
  | { readonly kind: 'parked'; readonly job: Job; readonly waitingOn: readonly string[] }
  /** The runs that it asked for are under way; it holds no slot meanwhile. */
  | { readonly kind: 'waiting'; readonly job: Job; readonly waitingOn: readonly string[] }
  | { readonly kind: 'given-back'; readonly job: Job }
  | { readonly kind: 'lost'; readonly job: Job; readonly why: string | null };

/** `isGivenBack`: this process let go of the lease itself, so a lost one is not a loss. Pure. */
export function changeOf(
  job: Job,
  result: RunJobResult,
  { isGivenBack }: { readonly isGivenBack: boolean },
): WorkChange {
  switch (result.kind) {
    case 'ended':
      return { kind: 'ended', job, status: result.end.status, reason: result.end.reason, error: result.end.error };
    case 'parked':
      return { kind: 'parked', job, waitingOn: result.waitingOn };
    case 'waiting':
      return { kind: 'waiting', job, waitingOn: result.waitingOn };
    case 'released':
      return { kind: 'given-back', job };
    case 'lost':
      return isGivenBack ? { kind: 'given-back', job } : { kind: 'lost', job, why: result.why ?? null };
  }
}
