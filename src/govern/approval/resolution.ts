import type { ErrorCode } from '../../domain/error-registry.js';
import type { GateRound, RecordedDecision, ReviewItem } from '../../domain/gates.js';
import { REFUSALS, type RefusalFacts, type RefusalKind, refusalMessage } from './refusals.js';

/** An attempt that was refused: what every entry point says, from the one table. */
export interface Refused {
  readonly kind: 'refused';
  /** Its row in the table. */
  readonly refusal: RefusalKind;
  readonly code: ErrorCode;
  /** Names the caller, the item and the reason: `detail` over HTTP. */
  readonly message: string;
  /** The clause alone, as the audit record holds it. */
  readonly reason: string;
  /** What to do; null = the default of the code. */
  readonly hint: string | null;
  /** As it stands; null for an unknown one. */
  readonly item: ReviewItem | null;
}

/** How an attempt to resolve a role task ended. */
export type Resolution =
  | {
      readonly kind: 'recorded';
      readonly item: ReviewItem;
      readonly gate: GateRound;
      readonly decision: RecordedDecision | null;
      /** The same person decided the same before: nothing was written but the attempt. */
      readonly unchanged: boolean;
      /** Id of the item that opened again for another person, because too few signed. */
      readonly reopened: string | null;
    }
  | Refused;

/** How an attempt to settle an item that is not a role task ended. */
export type AnswerResolution =
  | { readonly kind: 'settled'; readonly item: ReviewItem; readonly unchanged: boolean }
  | Refused;

/** One row of the table, filled in. */
export function refused(refusal: RefusalKind, facts: RefusalFacts, item: ReviewItem | null): Refused {
  const { code, reason, hint } = REFUSALS[refusal];
  return {
    kind: 'refused',
    refusal,
    code,
    message: refusalMessage(refusal, facts),
    reason: reason(facts),
    hint: hint?.(facts) ?? null,
    item,
  };
}
