import type { DecisionBinding, DecisionTrigger } from '../../domain/decision-binding.js';
import type { JsonObject } from '../../domain/json.js';
import { type BoundVerdict, bindingsFor } from '../../govern/bindings.js';
import { critiqueOf, isNoVerdict } from '../../govern/checks/verdict.js';
import type { Activation } from '../activation-call.js';
import { evaluateDecision } from '../decision/evaluate.js';
import { requestText } from '../history.js';
import { isParked, type Parked } from '../park.js';
import type { ActivationValue } from '../results.js';
import type { RunServices } from '../services.js';
import { failedEnd } from '../step-ends.js';
import type { StepEnd } from '../step-types.js';

/** A `pass` is a pass: bindings have no threshold of confidence. */
const THRESHOLD = 0;

export interface BindingRequest {
  /** What the decisions hang below: `<base>/<trigger>:<skill>`. */
  readonly base: string;
  readonly activation: Activation;
  readonly trigger: DecisionTrigger;
  readonly content: string;
  /** Further facts beside the configuration of the binding. */
  readonly facts: JsonObject;
}

export const bindingsOf = (
  services: RunServices,
  trigger: DecisionTrigger,
  agentId: string,
): readonly DecisionBinding[] => bindingsFor(services.snapshot.decisions ?? [], trigger, agentId);

/**
 * Asks all of them, one after another, also once one has failed: whoever revises is told everything
 * at once. A command that waits for a person parks the rest with it.
 */
export async function askBindings(
  services: RunServices,
  bindings: readonly DecisionBinding[],
  asked: BindingRequest,
): Promise<readonly BoundVerdict[] | Parked> {
  const { base, activation, trigger, content, facts } = asked;
  const found: BoundVerdict[] = [];
  for (const binding of bindings) {
    const context = Object.keys(binding.config).length === 0 ? facts : { ...facts, config: binding.config };
    const question = {
      trigger,
      agentId: activation.node.id,
      scope: requestText(services.snapshot, activation),
      rubric: null,
      content,
      context,
    };
    const decision = await evaluateDecision(services, {
      key: `${base}/${trigger}:${binding.skill}`,
      activation,
      skill: binding.skill,
      question,
      threshold: THRESHOLD,
      required: binding.required,
    });
    if (isParked(decision)) return decision;
    found.push({ binding, verdict: decision });
  }
  return found;
}

/** What was found, for whoever does the work again. */
export const findingsOf = (found: readonly BoundVerdict[]): string =>
  found.map(({ binding, verdict }) => `${binding.skill}: ${critiqueOf(verdict, THRESHOLD)}`).join('\n\n');

/**
 * The end of work that its bindings did not let through: who refused it and why is data, no text
 * that the next agent reads.
 */
export function decisionFailed(trigger: DecisionTrigger, refused: readonly BoundVerdict[]): StepEnd<ActivationValue> {
  const decisions = refused.map(({ binding, verdict }) => ({
    skill: binding.skill,
    verdict: verdict.verdict,
    confidence: verdict.confidence,
    reasoning: verdict.reasoning,
    flagged_items: [...verdict.flaggedItems],
    verdict_invalid: verdict.isInvalid,
  }));
  const names = decisions.map(({ skill }) => skill).join(', ');
  const said = refused.every(({ verdict }) => isNoVerdict(verdict)) ? 'gave no verdict' : 'did not let it through';
  return failedEnd('decision_failed', `${trigger}: ${names} ${said}`, { trigger, decisions });
}
