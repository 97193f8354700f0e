import type { Json } from '../domain/json.js';
import type { Decision } from '../domain/ports/governance.js';
import type { AgentNode, LinkedSkill } from '../domain/workspace.js';
import { permit } from '../govern/permit.js';
import { type PermissionTier, stricterTier, toolTier } from '../govern/tiers.js';
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
  const tier = tierOf(services, skill);
  return decideOn(services, { agentId: node.id, action: actionOf(skill), scopesRequired: [...skill.requiredScopes], context }, { node, tier });
}

/** The frozen tier and the one of now: the stricter of what they say of this call holds (journal.md 4.3). */
function tierOf(services: RunServices, skill: LinkedSkill): Tier {
  const frozen = frozenTier(services.snapshot, skill);
  if (frozen === null) return null;
  const { effects } = skill;
  return { permission: stricterTier(frozen, services.tierNow(skill) ?? frozen, effects), effects };
}

function frozenTier(snapshot: RunServices['snapshot'], { implementation }: LinkedSkill): PermissionTier | null {
  switch (implementation.type) {
    case 'command':
      return implementation.command.permission;
    case 'mcp_tool': {
      const server = snapshot.servers?.[implementation.server];
      return server === undefined ? null : toolTier(server, implementation.tool);
    }
    case 'llm_prompt':
    case 'composed':
    case 'agent':
      return null;
  }
}

type Request = Parameters<RunServices['decide']>[0];
type Tier = Parameters<typeof permit>[0]['tier'];

async function decideOn(services: RunServices, request: Request, of: { readonly node: AgentNode; readonly tier: Tier }): Promise<Decision> {
  const humanScopes = new Set([...services.snapshot.humanScopes, ...services.humanScopes]);
  const { by: _by, ...decision } = await permit({ request, heldScopes: of.node.baseScope, humanScopes, tier: of.tier }, services.decide);
  return decision;
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
