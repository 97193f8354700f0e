import type { AgentNode } from '../../domain/agent-node.js';
import type { LinkedSkill } from '../../domain/linked-skill.js';
import type { RunSnapshot } from '../../domain/snapshot.js';

/** Skills of an agent that become tools; decision skills are for bindings and judges. */
export function heldSkills(snapshot: Pick<RunSnapshot, 'skills'>, node: AgentNode): readonly LinkedSkill[] {
  return node.skills.flatMap((id) => {
    const skill = snapshot.skills[id];
    return skill === undefined || skill.category === 'decision' ? [] : [skill];
  });
}
