// The oracle's refusals in the words of the engine's table, and the code that each must carry
// (docs/errors.md).
import type { ErrorCode } from '../../../src/domain/error-registry.js';
import type { Refusal } from '../oracle/attempt.js';

interface Reported {
  readonly code: ErrorCode;
  /** Rows of the engine's table; several where the texts leave open which of them is named. */
  readonly kinds: readonly string[];
}

const denied = (kind: string): Reported => ({ code: 'KIT_APPROVAL_DENIED', kinds: [kind] });

export const TOLD: Readonly<Record<Refusal, Reported>> = {
  'unknown-item': { code: 'KIT_ITEM_UNKNOWN', kinds: ['item_unknown'] },
  'bad-outcome': { code: 'KIT_OUTCOME_INVALID', kinds: ['outcome_unknown'] },
  'no-comment': { code: 'KIT_COMMENT_MISSING', kinds: ['comment_missing'] },
  'no-scope': denied('no_role'),
  'not-role-task': denied('no_role_task'),
  'role-unknown': denied('role_unknown'),
  'scope-not-conferred': denied('scope_not_conferred'),
  'not-member': denied('not_a_member'),
  author: denied('is_author'),
  'author-unidentified': denied('author_unidentified'),
  'signed-already': denied('signed_already'),
  expired: { code: 'KIT_GATE_EXPIRED', kinds: ['gate_expired'] },
  stopped: { code: 'KIT_ALREADY_DECIDED', kinds: ['run_stopped'] },
  over: { code: 'KIT_ALREADY_DECIDED', kinds: ['stale', 'withdrawn'] },
  decided: { code: 'KIT_ALREADY_DECIDED', kinds: ['decided', 'withdrawn'] },
};
