import { providerForModel } from '../../compile/link/providers.js';
import { agentsOf } from '../../compile/link/walk-agents.js';
import { KitError } from '../../domain/errors.js';
import type { ProviderBinding, RunSnapshot } from '../../domain/snapshot.js';
import type { AgentNode, LinkedSkill, LinkedTopology, ModelChoice } from '../../domain/workspace.js';
import { type BoundProvider, bindProvider, type ProviderDeps } from './provider-binding.js';

/** What `resolveModels` looks at besides the topology; values of secrets are not among it. */
export interface ModelDeps extends ProviderDeps {
  /** Variables marked `run`, with their effective values. */
  readonly env: Readonly<Record<string, string | number>>;
  /** True when an environment variable is set and not empty. */
  readonly isSet: (name: string) => boolean;
}

/** Provider and model per agent id (and per `skill:<id>`), and how each provider among them is reached. */
export interface ResolvedModels {
  readonly models: RunSnapshot['models'];
  readonly providers: Readonly<Record<string, ProviderBinding>>;
}

/** Contributions that answer without a model of that name; the id of the provider stands in for it. */
const NAMELESS = new Set(['kit.mock', 'kit.rules']);

interface Use {
  /** Agent id, or `skill:<id>`. */
  readonly user: string;
  readonly choice: ModelChoice;
}

/**
 * Provider and model of every agent and every model-backed skill that the topology can reach, before its first step. KIT_PROVIDER
 * and KIT_MODEL win over the files. A provider that is missing, unknown or without its key refuses the run; nothing falls back.
 *
 * Throws KIT_PROVIDER_UNKNOWN, KIT_PROVIDER_KEY_MISSING (naming the variable).
 */
export function resolveModels(deps: ModelDeps, of: { readonly topology: LinkedTopology; readonly skills: readonly LinkedSkill[] }): ResolvedModels {
  const models: Record<string, RunSnapshot['models'][string]> = {};
  const providers: Record<string, ProviderBinding> = {};
  const bind = (id: string, user: string): string => {
    // The first who uses a provider is told what it lacks.
    if (Object.hasOwn(providers, id)) return id;
    const resolved = bindProvider(deps, { id, user });
    assertKey(deps, { resolved, user });
    providers[id] = resolved.binding;
    return id;
  };
  const fallback = modelAgents(of.topology.root).find((node) => node.model.provider !== null)?.model ?? null;
  for (const use of usesOf(of.topology, of.skills, fallback)) {
    const provider = bind(providerOf(deps, use), use.user);
    const model = modelOf(deps, use, { provider, contribution: providers[provider]?.contribution ?? '' });
    const toolProvider =
      textEnv(deps, 'KIT_PROVIDER') === null && use.choice.toolProvider !== null ? bind(use.choice.toolProvider, use.user) : provider;
    const toolModel = textEnv(deps, 'KIT_MODEL') ?? use.choice.toolModel ?? model;
    models[use.user] = { provider, model, toolProvider, toolModel };
  }
  return { models, providers };
}

/** Agents that call a model themselves, in tree order. */
const modelAgents = (root: AgentNode): readonly AgentNode[] => agentsOf(root).filter(({ executor }) => executor.kind === 'model');

/** A skill without a model of its own is called with that of the agent that holds it; it is listed only when it names one. */
function usesOf(topology: LinkedTopology, skills: readonly LinkedSkill[], fallback: ModelChoice | null): readonly Use[] {
  const agents = modelAgents(topology.root).map((node) => ({ user: node.id, choice: node.model }));
  const prompts = skills.flatMap((skill) => {
    if (skill.implementation.type !== 'llm_prompt') return [];
    const { model } = skill.implementation;
    if (model.provider === null && model.name === null) return [];
    // A prompt has no tools: nothing would call the model of tool-calling turns.
    const choice = { ...model, provider: model.provider ?? fallback?.provider ?? null, toolProvider: null, toolModel: null };
    return [{ user: `skill:${skill.id}`, choice }];
  });
  return [...agents, ...prompts];
}

function providerOf(deps: ModelDeps, use: Use): string {
  const named = textEnv(deps, 'KIT_PROVIDER') ?? use.choice.provider;
  if (named !== null) return named;
  const model = textEnv(deps, 'KIT_MODEL') ?? use.choice.name;
  const found = model === null ? null : providerForModel(deps.workspace.providers, model, ({ apiKeyEnv }) => isKeySet(deps, apiKeyEnv));
  if (found !== null) return found.id;
  throw new KitError('KIT_PROVIDER_UNKNOWN', `${use.user} names no model provider`, {
    hint: 'Write model.provider in the topology or archetype, or set KIT_PROVIDER.',
    data: { user: use.user },
  });
}

const isKeySet = (deps: ModelDeps, apiKeyEnv: string | null): boolean => apiKeyEnv === null || deps.isSet(apiKeyEnv);

function modelOf(deps: ModelDeps, use: Use, of: { readonly provider: string; readonly contribution: string }): string {
  const { provider, contribution } = of;
  const name = textEnv(deps, 'KIT_MODEL') ?? use.choice.name;
  if (NAMELESS.has(contribution)) return name ?? provider;
  if (name !== null) return name;
  throw new KitError('KIT_PROVIDER_UNKNOWN', `${use.user} names the provider ${provider}, but no model`, {
    hint: 'Write model.name, or set KIT_MODEL.',
    data: { user: use.user, provider },
  });
}

function assertKey(deps: ModelDeps, of: { readonly resolved: BoundProvider; readonly user: string }): void {
  const { apiKeyEnv, binding } = of.resolved;
  if (isKeySet(deps, apiKeyEnv)) return;
  throw new KitError('KIT_PROVIDER_KEY_MISSING', `${of.user} uses the provider ${binding.id}, which needs ${apiKeyEnv}, and that is not set`, {
    hint: `Set ${apiKeyEnv}, or choose another provider.`,
    data: { provider: binding.id, variable: apiKeyEnv, user: of.user },
  });
}

function textEnv(deps: ModelDeps, name: string): string | null {
  const value = deps.env[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
