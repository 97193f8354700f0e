import type { CallFacts, Exactness } from '../../domain/harness-call.js';
import type { Json, JsonObject } from '../../domain/json.js';
import type { WaitingCall } from './waiting-call.js';

/** A call that was put off until people decide, as the journal keeps it. */
export type DeferredCall = Pick<CallFacts, 'kind' | 'subject' | 'place'> & {
  readonly call_id: string;
  readonly tool: string;
  /** Masked: people read it, nothing is carried out from it. */
  readonly input: JsonObject;
  /** SHA-256 over tool and input as they would be carried out. */
  readonly sha256: string;
  /** Why nobody but people may let it through. */
  readonly reason: string;
  /** Who may answer; [] = whoever may answer permissions. */
  readonly approvers: readonly string[];
};

/**
 * What one launch of a program records: its answer and the diff, or the calls at which it put
 * itself down, with all that the next launch needs.
 */
export type LaunchValue =
  | { readonly kind: 'done'; readonly output: Json; readonly diff: string }
  | {
      readonly kind: 'waits';
      /** Calls of the gateway that have no answer yet. */
      readonly calls: readonly WaitingCall[];
      readonly session: string | null;
      readonly worktree: string;
      readonly base_commit: string;
    }
  | {
      readonly kind: 'asked';
      readonly call: DeferredCall;
      readonly session: string;
      readonly worktree: string;
      readonly base_commit: string;
      /** SHA-256 of the diff when the program ended: what people saw. */
      readonly worktree_sha256: string;
      readonly diff: string;
      readonly diff_bytes: number;
      /** The last words of the model before the call. */
      readonly rationale: string;
      readonly exactness: Exactness;
    };

export type PermissionRequest = Extract<LaunchValue, { kind: 'asked' }>;

/** What people decided about a call, for the launch after it. */
export interface Decided {
  readonly asked: PermissionRequest;
  readonly answer: 'approved' | 'rejected';
  readonly comment: string;
  /** What people had the call made with instead; absent: its own input. */
  readonly input?: JsonObject;
}
