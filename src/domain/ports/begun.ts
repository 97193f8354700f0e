import type { RunEvent } from '../events.js';
import type { WaitingStatus } from '../job.js';
import type { StepRow } from '../journal.js';
import type { ClaimRequest } from './claims.js';

/** What a run begins with that goes on from another one. */
export interface Begun {
  readonly status: WaitingStatus;
  readonly events: readonly RunEvent[];
  readonly steps: readonly StepRow[];
}

/** Under whose lease rows are written. */
export type Lessee = Pick<ClaimRequest, 'workerId' | 'leaseMs' | 'host'>;

/**
 * What becomes of it once it is written. One that waits is held by `writer` for the one transaction
 * that writes its journal, and asks nothing of what that process has.
 */
export type AfterBegun =
  | { readonly kind: 'claimed'; readonly claim: ClaimRequest }
  | { readonly kind: 'waiting'; readonly writer: Lessee };
