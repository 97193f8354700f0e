import type { AgentNode } from '../domain/agent-node.js';
import type { CallFacts } from '../domain/harness-call.js';
import type { Json } from '../domain/json.js';
import type { LinkedSkill } from '../domain/linked-skill.js';
import type { Decision } from '../domain/ports/governance.js';
import { permit } from '../govern/permit.js';
import { type PermissionTier, stricterTier, toolTier } from '../govern/tiers.js';
import { FULLY_TRUSTED, type Trust } from '../govern/trust.js';
import { onceKnown, type Soon } from '../lib/soon.js';
import type { NewEvent } from './new-event.js';
import type { RunServices } from './services.js';
import type { StepSpec } from './step-types.js';
import { readTrust, trustDenial, trustEvents } from './trust.js';

/**
 * May this agent run at all? Asked once an activation, with all of its base scopes
 * (docs/design/execution.md#agent), and what the log tells of the answer. How far the agent is
 * trusted is asked first.
 */
export function agentGate(
  services: RunServices,
  node: AgentNode,
): Pick<StepSpec, 'onDenied' | 'onAllowed'> & { readonly authorize: () => Soon<Decision> } {
  const context: Record<string, Json> = { role: node.role, base_scope: [...node.baseScope] };
  const request = { agentId: node.id, action: 'agent:execute', scopesRequired: [...node.baseScope], context };
  let trust = FULLY_TRUSTED;
  return {
    authorize: () =>
      onceKnown(decideOn(services, request, { heldScopes: node.baseScope, tier: null }), (asked) => {
        trust = asked.trust;
        return asked.decision;
      }),
    onDenied: (decision) => [
      ...trustEvents(node.id, trust),
      policyDenied(request.action, decision, { agentId: node.id, skillId: null }),
    ],
    onAllowed: () => trustEvents(node.id, trust),
  };
}

/**
 * May this agent make this call (docs/design/execution.md#actions)? `granted`: elevated scopes of
 * this call.
 */
export async function authorizeSkill(
  services: RunServices,
  call: { readonly node: AgentNode; readonly skill: LinkedSkill; readonly granted?: readonly string[] },
): Promise<Decision> {
  const { node, skill, granted = [] } = call;
  const tier = tierOf(services, skill);
  const context: Record<string, Json> = {
    role: node.role,
    skill: skill.id,
    effects: skill.effects,
    base_scope: [...node.baseScope],
    ...(tier === null ? {} : { permission: tier.permission }),
    ...(granted.length === 0 ? {} : { granted_scopes: [...granted] }),
  };
  const request = { agentId: node.id, action: actionOf(skill), scopesRequired: [...skill.requiredScopes], context };
  return (await decideOn(services, request, { heldScopes: [...node.baseScope, ...granted], tier })).decision;
}

/** A refusal as the log tells it, with the policies that decided where some did. */
export function policyDenied(
  action: string,
  decision: Extract<Decision, { verdict: 'deny' | 'ask' }>,
  of: { readonly agentId: string; readonly skillId: string | null },
): NewEvent {
  const policy = decision.policyDigest === undefined ? {} : { policy_digest: decision.policyDigest };
  const needs = decision.verdict === 'deny' ? [...decision.needs] : [];
  return { ...of, type: 'policy.denied', payload: { action, reason: decision.reason, needs, ...policy } };
}

/**
 * What governance says of a call of a harness (docs/design/decisions.md#harness-calls): it may
 * refuse it, or have people asked. Its yes allows nothing by itself, because no scope stands for
 * such a call.
 */
export async function authorizeHarnessCall(
  services: RunServices,
  call: { readonly node: AgentNode; readonly tool: string } & CallFacts,
): Promise<Decision> {
  const { node, tool, kind, subject, place } = call;
  const context: Record<string, Json> = {
    role: node.role,
    base_scope: [...node.baseScope],
    tool,
    kind,
    subject,
    ...(place === null ? {} : { place }),
  };
  const request = { agentId: node.id, action: `harness:approve:${kind}`, scopesRequired: [], context };
  return (await decideOn(services, request, { heldScopes: node.baseScope, tier: null })).decision;
}

/**
 * May this agent read the whole of a result that was shortened? Needs no scope: it was answered to
 * this agent before (docs/design/execution.md#compression).
 */
export async function authorizeRetrieve(
  services: RunServices,
  call: { readonly node: AgentNode; readonly ref: string },
): Promise<Decision> {
  const { node, ref } = call;
  const context: Record<string, Json> = { base_scope: [...node.baseScope] };
  const request = { agentId: node.id, action: `context:retrieve:${ref}`, scopesRequired: [], context };
  return (await decideOn(services, request, { heldScopes: node.baseScope, tier: null })).decision;
}

/**
 * May what this run found out be remembered? Asked once a run, of the agent whose model looked for
 * it, with what it is about and never with the values. Needs no scope: the entries belong to the
 * submitter of the run.
 */
export async function authorizeRemember(
  services: RunServices,
  write: { readonly node: AgentNode; readonly keys: readonly string[] },
): Promise<Decision> {
  const { node, keys } = write;
  const context: Record<string, Json> = { role: node.role, base_scope: [...node.baseScope], keys: [...keys] };
  const request = { agentId: node.id, action: REMEMBER, scopesRequired: [], context };
  return (await decideOn(services, request, { heldScopes: node.baseScope, tier: null })).decision;
}

/** Action of a write to memory. */
export const REMEMBER = 'memory:write';

/**
 * The frozen tier and the one of now: the stricter of what they say of this call holds
 * (docs/design/journal.md#live).
 */
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
    case 'agent':
      return implementation.permission;
    case 'llm_prompt':
    case 'knowledge':
    case 'composed':
      return null;
  }
}

type Request = Parameters<RunServices['decide']>[0];
type Tier = Parameters<typeof permit>[0]['tier'];

type HeldBy = { readonly heldScopes: readonly string[]; readonly tier: Tier };
type AskedOfAgent = { readonly decision: Decision; readonly trust: Trust };

/** Who is not trusted is asked about no further; what a policy sees of trust is the score. */
function decideOn(services: RunServices, request: Request, of: HeldBy): Soon<AskedOfAgent> {
  return onceKnown(readTrust(services, request.agentId), (trust) => decideTrusted(services, request, { ...of, trust }));
}

function decideTrusted(
  services: RunServices,
  request: Request,
  { trust, ...of }: HeldBy & { readonly trust: Trust },
): Soon<AskedOfAgent> {
  const denial = trustDenial(trust);
  if (denial !== null) return { decision: denial, trust };
  const context =
    services.trust === undefined || trust.score === null ? request.context : { ...request.context, trust: trust.score };
  const asked = context === request.context ? request : { ...request, context };
  const humanScopes = humanScopesOf(services);
  return onceKnown(
    permit({ request: asked, ...of, humanScopes }, services.decide),
    ({ by: _by, ...decision }): AskedOfAgent => ({ decision, trust }),
  );
}

/** Those that the snapshot froze and those of now. */
const humanScopesOf = ({ snapshot, humanScopes }: RunServices): readonly string[] =>
  humanScopes.length === 0 ? snapshot.humanScopes : [...snapshot.humanScopes, ...humanScopes];

function actionOf(skill: LinkedSkill): string {
  const { implementation } = skill;
  switch (implementation.type) {
    case 'command':
      return `command:call:${implementation.pack}:${implementation.command.id}`;
    case 'mcp_tool':
      return `mcp:call:${implementation.server}:${implementation.tool}`;
    case 'llm_prompt':
    case 'knowledge':
    case 'composed':
    case 'agent':
      return `skill:call:${skill.id}`;
  }
}
