import { identityDigest } from '../derive.js';
import type { AskedAbout } from '../permission.js';
import type { StepSpec } from '../step-types.js';
import type { SkillCall } from './skill-call.js';
import { isToolSkill } from './tool-facts.js';

/** What people are shown of a call: what is called with which arguments, and their digest. */
export function askAboutCall(call: SkillCall, spec: StepSpec): AskedAbout {
  const { skill, activation, input } = call;
  const digest = identityDigest(spec.kind, spec.identity);
  const named = isToolSkill(skill)
    ? {
        server: skill.implementation.server,
        tool: skill.implementation.tool,
        arguments: { ...input, ...skill.implementation.arguments },
      }
    : { arguments: input };
  return {
    agentId: activation.node.id,
    skillId: skill.id,
    // The digest is part of the question: an answer to another question is not an answer to this
    // one.
    question: `May ${activation.node.id} call ${skill.id}? (${digest.slice(0, 16)})`,
    details: { skill: skill.id, ...named, effects: skill.effects, step: call.key, digest },
  };
}
