import { loadToolkit, type Toolkit } from './toolkit.js';

/** Whether an agent may act at all, and with which of the scopes that it is asked for. */
export interface Identities {
  /** Why not; null = it may. */
  refusal(
    agentId: string,
    asked: { readonly held: readonly string[]; readonly required: readonly string[] },
  ): Promise<string | null>;
}

/**
 * Identities of the toolkit: one a workspace agent, made when the agent first acts, with the scopes
 * that kit holds it to. An agent that `suspended` lists has an identity that is not active. The
 * keys live as long as the provider: nothing is signed that would outlive it.
 */
export function createIdentities(suspended: ReadonlySet<string>): Identities {
  type Identity = import('@microsoft/agent-governance-sdk').AgentIdentity;
  const known = new Map<string, Identity>();
  // Asking the loader again costs as much as the decision.
  let toolkit: Promise<Toolkit> | null = null;
  return {
    refusal: async (agentId, { held, required }) => {
      toolkit ??= loadToolkit();
      const { AgentIdentity } = await toolkit;
      // An identity says what the agent holds; other scopes are another identity.
      const key = JSON.stringify([agentId, held]);
      let identity = known.get(key);
      if (identity === undefined) {
        identity = AgentIdentity.generate(agentId, [...held]);
        if (suspended.has(agentId)) identity.suspend('listed under governance.config.suspended');
        known.set(key, identity);
      }
      if (!identity.isActive()) return `the agent ${agentId} is suspended`;
      const { capabilities } = identity;
      const missing = required.filter((scope) => !capabilities.includes(scope));
      return missing.length === 0 ? null : `the identity of ${agentId} does not carry ${missing.join(', ')}`;
    },
  };
}
