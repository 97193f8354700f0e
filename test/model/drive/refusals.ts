// Which code stands for which refusal (docs/errors.md), and what the sentence of a 403 must say to be told apart from the other six.
import type { ErrorCode } from '../../../src/domain/error-registry.js';
import type { Refusal } from '../oracle/attempt.js';

export const CODES: Readonly<Record<Refusal, ErrorCode>> = {
  'unknown-item': 'KIT_ITEM_UNKNOWN',
  'bad-outcome': 'KIT_OUTCOME_INVALID',
  'no-comment': 'KIT_COMMENT_MISSING',
  'no-scope': 'KIT_APPROVAL_DENIED',
  'not-role-task': 'KIT_APPROVAL_DENIED',
  'role-unknown': 'KIT_APPROVAL_DENIED',
  'scope-not-conferred': 'KIT_APPROVAL_DENIED',
  'not-member': 'KIT_APPROVAL_DENIED',
  author: 'KIT_APPROVAL_DENIED',
  'author-unidentified': 'KIT_APPROVAL_DENIED',
  'signed-already': 'KIT_APPROVAL_DENIED',
  stopped: 'KIT_ALREADY_DECIDED',
  over: 'KIT_ALREADY_DECIDED',
  decided: 'KIT_ALREADY_DECIDED',
};

/** Words by which a person tells one 403 from another. Filled from the sentences of the engine's table. */
export const WORDS: Readonly<Partial<Record<Refusal, RegExp>>> = {};
