import type { LinkedSkill } from '../../domain/linked-skill.js';
import type { Decision } from '../../domain/ports/governance.js';
import { policyDenied } from '../authorize.js';
import type { NewEvent } from '../new-event.js';
import { executedEvent } from './executed-event.js';
import type { SkillCall } from './skill-call.js';
import { isToolSkill } from './tool-facts.js';

/** What the log tells of a call that was refused: who said no, and the call that was not made. */
export function deniedEvents(
  { skill, activation }: Pick<SkillCall, 'skill' | 'activation'>,
  decision: Extract<Decision, { verdict: 'deny' | 'ask' }>,
): readonly NewEvent[] {
  const base = { agentId: activation.node.id, skillId: skill.id };
  return [
    policyDenied(`skill:${skill.id}`, decision, base),
    executedEvent(
      { ...base, tool: skill.id, effects: skill.effects },
      { refused: decision.reason },
      ofServer(skill, false),
    ),
  ];
}

/** What only a call of a server's tool tells. */
export const ofServer = (skill: LinkedSkill, isCached: boolean) =>
  isToolSkill(skill) ? { server: skill.implementation.server, cached: isCached } : {};
