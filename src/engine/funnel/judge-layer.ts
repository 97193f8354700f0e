import type { GateEvidence } from '../../domain/gates.js';
import type { LinkedFunnel } from '../../domain/linked-funnel.js';
import { ruleSetOf } from '../../domain/snapshot.js';
import { critiqueOf, isNoVerdict } from '../../govern/checks/verdict.js';
import { type DecisionValue, evaluateDecision } from '../decision/evaluate.js';
import { requestText } from '../history.js';
import { isParked, type Parked } from '../park.js';
import type { RunServices } from '../services.js';
import type { CheckedDraft } from './layer-event.js';
import { layerEvent } from './layer-event.js';

export interface JudgeResult {
  readonly passed: boolean;
  readonly critique: string | null;
  readonly judge: GateEvidence['judge'];
  /** Nobody judged: that is not a fault of the draft. */
  readonly isSilent: boolean;
}

/**
 * The judge of a funnel: a decision skill, asked about the whole draft. One that gives no verdict
 * has found nothing in it (docs/design/execution.md#funnel); before rule set 5 that was a failed
 * attempt of the author.
 */
export async function runJudge(
  services: RunServices,
  of: { readonly funnel: LinkedFunnel; readonly judge: NonNullable<LinkedFunnel['judge']> },
  draft: CheckedDraft,
): Promise<JudgeResult | Parked> {
  const { funnel, judge } = of;
  const { skill, rubric, threshold } = judge;
  const critique = (value: DecisionValue): string | null => (value.passed ? null : critiqueOf(value, threshold));
  const decision = await evaluateDecision(services, {
    key: `${draft.key}/judge`,
    activation: draft.activation,
    skill,
    question: {
      trigger: 'post_output',
      agentId: draft.activation.node.id,
      scope: requestText(services.snapshot, draft.activation),
      rubric,
      content: draft.text,
      context: draft.diff === null || draft.diff === '' ? {} : { diff: draft.diff },
    },
    threshold,
    events: (value) => [
      layerEvent(draft, {
        funnelId: funnel.id,
        layer: 'judge',
        passed: value.passed,
        critique: critique(value),
        verdict: value.verdict,
        confidence: value.confidence,
      }),
    ],
  });
  if (isParked(decision)) return decision;
  const { passed, verdict, confidence, reasoning } = decision;
  const isSilent = isNoVerdict(decision) && ruleSetOf(services.snapshot) >= 5;
  return { passed, critique: critique(decision), judge: { skill, verdict, confidence, reasoning }, isSilent };
}
