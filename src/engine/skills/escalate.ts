import type { StepOutcome } from '../../domain/journal.js';
import { askPeople } from '../ask-people.js';
import { isParked, type Parked } from '../park.js';
import type { RunServices } from '../services.js';
import type { SkillCall } from './skill-call.js';
import type { ToolValue } from './tool-result.js';

type SkillOutcome = StepOutcome<ToolValue>;

/**
 * Refusals of kit itself: a person who answers for the tool would undo a policy, a limit or a
 * correction of the arguments.
 */
const OWN_REASONS: readonly string[] = ['denied', 'invalid_arguments'];

/**
 * `on_failure: escalate_to_human` of a skill, and `on_in_doubt: ask`: a call that failed, or of
 * which nobody knows whether it took effect, is put before a person. The answer takes the place of
 * the result; a rejection leaves the failure as it is.
 */
export async function orAskPerson(
  services: RunServices,
  call: SkillCall,
  outcome: SkillOutcome,
): Promise<SkillOutcome | Parked> {
  if (outcome.status === 'ok' || !isForPeople(call, outcome.reason)) return outcome;
  const { skill, activation } = call;
  const isInDoubt = outcome.reason === 'in_doubt';
  const answered = await askPeople(services, {
    key: `${call.key}/ask`,
    kind: 'other',
    agentId: activation.node.id,
    skillId: skill.id,
    reason: isInDoubt ? `it is not known whether ${skill.id} took effect` : `${skill.id} failed: ${outcome.reason}`,
    question: isInDoubt
      ? `The process died while ${skill.id} was under way. Find out whether it took effect; your answer is given to the agent as its result.`
      : `${skill.id} failed (${outcome.reason}). Do by hand what it was to do; your answer is given to the agent as its result.`,
    options: [],
    // The message of a failure is text of the tool: it stands where it cannot be taken for the
    // words of kit.
    details: { skill: skill.id, step: call.key, input: call.input, reason: outcome.reason, message: outcome.message },
  });
  if (isParked(answered)) return answered;
  if (answered.status === 'failed')
    return {
      ...outcome,
      message:
        answered.message === ''
          ? outcome.message
          : `${outcome.message}; a person who was asked says: ${answered.message}`,
    };
  return { status: 'ok', value: { output: answered.value.answer === '' ? 'approved' : answered.value.answer } };
}

function isForPeople(call: SkillCall, reason: string): boolean {
  if (reason === 'in_doubt') return call.skill.onInDoubt === 'ask';
  return call.skill.onFailure === 'escalate_to_human' && !OWN_REASONS.includes(reason) && !reason.startsWith('limit.');
}
