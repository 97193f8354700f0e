import type {
  Decision,
  GovernanceProvider,
  PluginContext,
  PolicyProblem,
  PolicyRequest,
  PolicyWorkspace,
} from '@kit-run/kit/plugin';
import type { AgtConfig } from './agt-config.js';
import { factsOf } from './facts.js';
import { livePolicies } from './live-policies.js';
import { type ParsePolicies, problem } from './policy-set.js';
import { digestOfUrl, opaServer } from './rego/server.js';
import { loadToolkit, type Toolkit } from './toolkit.js';

const HOUR_MS = 3_600_000;

/**
 * Trust of an agent now: what the configuration says, halved every `trust_decay_half_life_hours`
 * since `as_of`. null = nothing is said.
 */
function trustOf(
  { trustScores, halfLifeHours }: Pick<AgtConfig, 'trustScores' | 'halfLifeHours'>,
  agentId: string,
  nowMs: number,
): number | null {
  const entry = trustScores.get(agentId);
  if (entry === undefined) return null;
  if (entry.asOfMs === null || halfLifeHours === null) return entry.score;
  const ageMs = Math.max(0, nowMs - entry.asOfMs);
  return entry.score * 0.5 ** (ageMs / (halfLifeHours * HOUR_MS));
}

type Parts = Pick<PluginContext, 'clock' | 'fetch'>;

/**
 * Identities and policies of the Agent Governance Toolkit; Cedar and Rego where the workspace says
 * so. Nothing is read before the first question.
 */
export function createAgt(config: AgtConfig, { clock, fetch }: Parts): GovernanceProvider {
  const identities = createIdentities(config.suspended);
  const { opaUrl } = config;
  const policies =
    opaUrl === null
      ? livePolicies({ policiesDir: config.policiesDir, language: config.language, clock, parse: parserOf(config) })
      : null;
  const server = opaUrl === null ? null : opaServer(opaUrl, fetch);
  return {
    evaluate: async (request, signal) => {
      const refused = await identities.refusal(request.agentId, scopesOf(request));
      if (refused !== null) return { verdict: 'deny', reason: refused, needs: [] };
      const facts = factsOf(request);
      if (policies !== null) return policies.decide(facts, signal);
      if (server === null || opaUrl === null)
        return { verdict: 'deny', reason: 'there are no policies', needs: [] } satisfies Decision;
      return { ...(await server.decide(facts, signal)), policyDigest: digestOfUrl(opaUrl) };
    },
    check: async (workspace) => {
      // Every action asks it for an identity: said before a run, and not by a denial within it.
      await loadToolkit();
      return [...unknownAgents(config, workspace), ...(policies === null ? [] : await policies.check(workspace))];
    },
    trustScore: async (agentId) => trustOf(config, agentId, clock.now()),
  };
}

/** A misspelt name would leave the agent that was meant at work, and trusted. */
function unknownAgents({ suspended, trustScores }: AgtConfig, { agents }: PolicyWorkspace): readonly PolicyProblem[] {
  const unknown = (key: string, names: Iterable<string>): readonly PolicyProblem[] =>
    [...names]
      .filter((name) => !agents.includes(name))
      .map((name) =>
        problem('policy.unknown-entity', 'workspace.yaml', `\`${key}\` names no agent of the workspace: \`${name}\``),
      );
  return [...unknown('suspended', suspended), ...unknown('trust_scores', trustScores.keys())];
}

/**
 * kit has checked the scopes; a request that does not say what the agent holds carries what it was
 * checked for.
 */
function scopesOf({ context, scopesRequired }: PolicyRequest): {
  readonly held: readonly string[];
  readonly required: readonly string[];
} {
  const { base_scope: held, granted_scopes: granted } = context;
  const list = [held, granted].flatMap((scopes) =>
    Array.isArray(scopes) ? scopes.filter((scope): scope is string => typeof scope === 'string') : [],
  );
  return { held: list, required: scopesRequired };
}

/** Each language is loaded where it is used. */
function parserOf({ language, entrypoint }: AgtConfig): ParsePolicies {
  return async (files, workspace) => {
    switch (language) {
      case 'yaml':
        return (await import('./yaml/parse.js')).parseYaml(files, workspace);
      case 'cedar':
        return (await import('./cedar/parse.js')).parseCedar(files, workspace);
      case 'rego':
        return (await import('./rego/parse.js')).parseRego(files, entrypoint);
    }
  };
}

/** Whether an agent may act at all, and with which of the scopes that it is asked for. */
interface Identities {
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
function createIdentities(suspended: ReadonlySet<string>): Identities {
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
