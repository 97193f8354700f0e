import type { Json } from '../domain/json.js';
import type { Decision } from '../domain/ports/governance.js';
import type { AgentNode, LinkedCommand, LinkedSkill } from '../domain/workspace.js';
import { permit } from '../govern/permit.js';
import type { RunServices } from './services.js';

/** May this agent run at all? Asked once an activation, with all of its base scopes (execution.md 1.3). */
export function authorizeAgent(services: RunServices, node: AgentNode): Promise<Decision> {
  const context: Record<string, Json> = { role: node.role, base_scope: [...node.baseScope] };
  return decideOn(services, { agentId: node.id, action: 'agent:execute', scopesRequired: [...node.baseScope], context }, { node, tier: null });
}

/** May this agent make this call? Action strings are those of execution.md 3.1 and artifacts.md 3.7. */
export function authorizeSkill(services: RunServices, call: { readonly node: AgentNode; readonly skill: LinkedSkill }): Promise<Decision> {
  const { node, skill } = call;
  const context: Record<string, Json> = { skill: skill.id, effects: skill.effects, base_scope: [...node.baseScope] };
  const permission = permissionOf(skill);
  const tier = permission === null ? null : { permission, effects: skill.effects };
  return decideOn(services, { agentId: node.id, action: actionOf(skill), scopesRequired: [...skill.requiredScopes], context }, { node, tier });
}

type Request = Parameters<RunServices['decide']>[0];
type Tier = Parameters<typeof permit>[0]['tier'];

async function decideOn(services: RunServices, request: Request, of: { readonly node: AgentNode; readonly tier: Tier }): Promise<Decision> {
  const humanScopes = new Set([...services.snapshot.humanScopes, ...services.humanScopes]);
  const { by: _by, ...decision } = await permit({ request, heldScopes: of.node.baseScope, humanScopes, tier: of.tier }, services.decide);
  return decision;
}

function permissionOf({ implementation }: LinkedSkill): LinkedCommand['permission'] | null {
  switch (implementation.type) {
    case 'command':
      return implementation.command.permission;
    case 'agent':
      return implementation.permission;
    case 'llm_prompt':
    case 'composed':
    case 'mcp_tool':
      return null;
  }
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
