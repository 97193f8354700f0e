import type { Json, JsonSchema } from './json.js';
import type { Severity } from './linked-funnel.js';

/** All of them, the lightest first. */
export const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const satisfies readonly Severity[];

/** One thing that a reviewer found (docs/design/execution.md#reviewer). */
export type ReviewFinding = {
  readonly id: string;
  readonly severity: Severity;
  /** Where it is, in the reviewer's words: `src/x.ts:12`. */
  readonly location: string;
  readonly claim: string;
  /** Quotations or facts that carry the claim; texts or objects. */
  readonly evidence: readonly Json[];
  readonly recommendation: string;
};

/**
 * What every reviewer answers: `{findings: [...]}`, empty when there is nothing to say. All six
 * fields are required; further ones are taken. An answer that does not fit is a failed attempt of
 * the reviewer, whatever its archetype declares as output.
 */
export const REVIEW_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['findings'],
  properties: {
    findings: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'severity', 'location', 'claim', 'evidence', 'recommendation'],
        properties: {
          id: { type: 'string', minLength: 1 },
          severity: { enum: [...SEVERITIES] },
          location: { type: 'string' },
          claim: { type: 'string', minLength: 1 },
          evidence: { type: 'array', items: { type: ['string', 'object'] } },
          recommendation: { type: 'string' },
        },
      },
    },
  },
};
