import type { Json } from '../domain/json.js';
import type { Decision } from '../domain/ports/governance.js';
import type { AgentNode, LinkedSkill } from '../domain/workspace.js';
import type { RunServices } from './services.js';

/** May this agent run at all? Asked once an activation, with all of its base scopes (execution.md 1.3). */
export function authorizeAgent(services: RunServices, node: AgentNode): Promise<Decision> {
  return services.decide({
    agentId: node.id,
    action: 'agent:execute',
    scopesRequired: [...node.baseScope],
    context: { role: node.role, base_scope: [...node.baseScope] },
  });
}

/** May this agent make this call? Action strings are those of execution.md 3.1 and artifacts.md 3.7. */
export function authorizeSkill(services: RunServices, call: { readonly node: AgentNode; readonly skill: LinkedSkill }): Promise<Decision> {
  const { node, skill } = call;
  const context: Record<string, Json> = { skill: skill.id, effects: skill.effects, base_scope: [...node.baseScope] };
  if (skill.implementation.type === 'command') context['permission'] = skill.implementation.command.permission;
  return services.decide({ agentId: node.id, action: actionOf(skill), scopesRequired: [...skill.requiredScopes], context });
}

function actionOf(skill: LinkedSkill): string {
  const { implementation } = skill;
  switch (implementation.type) {
    case 'command':
      return `command:call:${implementation.pack}:${implementation.command.id}`;
    case 'mcp_tool':
      return `mcp:call:${implementation.server}:${implementation.tool}`;
    case 'llm_prompt':
    case 'composed':
    case 'agent':
      return `skill:call:${skill.id}`;
  }
}
