import { providerForModel } from '../../compile/link/providers.js';
import type { AgentNode, ModelChoice } from '../../domain/agent-node.js';
import { KitError } from '../../domain/errors.js';
import type { LinkedSkill } from '../../domain/linked-skill.js';
import type { MemorySettings } from '../../domain/memory-settings.js';
import { SYNTHESIS_MODEL, type Synthesis } from '../../domain/planning.js';
import { EMBEDDING_MODEL, MEMORY_MODEL, type ProviderBinding, type RunSnapshot } from '../../domain/snapshot.js';
import { type BoundProvider, bindProvider, type ProviderDeps } from './provider-binding.js';

/** What `resolveModels` looks at besides the topology; values of secrets are not among it. */
export interface ModelDeps extends ProviderDeps {
  /** Variables marked `run`, with their effective values. */
  readonly env: Readonly<Record<string, string | number>>;
  /** True when an environment variable is set and not empty. */
  readonly isSet: (name: string) => boolean;
  /**
   * False where another machine calls the models: a key that is missing here is no reason to
   * refuse. Default true.
   */
  readonly needsKeys?: boolean;
}

/**
 * Provider and model per agent id (and per `skill:<id>`), and how each provider among them is
 * reached.
 */
export interface ResolvedModels {
  readonly models: RunSnapshot['models'];
  readonly providers: Readonly<Record<string, ProviderBinding>>;
}

/**
 * Contributions that answer without a model of that name; the id of the provider stands in for it.
 */
const NAMELESS = new Set(['kit.mock', 'kit.rules']);
/** Their ids: what the files call a model of theirs is nothing that another provider has. */
const NAMELESS_IDS = new Set(['mock', 'rules']);

/** An agent or judge that names no model. */
export const NO_CHOICE: ModelChoice = {
  provider: null,
  name: null,
  temperature: null,
  maxTokens: null,
  toolProvider: null,
  toolModel: null,
  options: {},
};

interface Use {
  /** Agent id, or `skill:<id>`. */
  readonly user: string;
  readonly choice: ModelChoice;
  /** A decision skill that names no model: KIT_JUDGE_MODEL wins over KIT_MODEL for it. */
  readonly isJudge: boolean;
}

/** Who will call models in a run. */
export interface ModelUsers {
  /** In tree order, reviewers last. */
  readonly agents: readonly AgentNode[];
  /** Skills that agents hold, and the judges. */
  readonly skills: readonly LinkedSkill[];
  /** Decision skills that the run evaluates itself, for a funnel. */
  readonly judges: ReadonlySet<string>;
  /**
   * Decision skills that bindings ask: without a model of their own they are asked of
   * KIT_JUDGE_MODEL, else of the judged agent's.
   */
  readonly bound: ReadonlySet<string>;
  /** Writes the answers of plans; null = their coordinators do. */
  readonly synthesis: Synthesis | null;
  /** Makes embeddings of memories; null = nobody does. */
  readonly embedding: MemorySettings['embedding'] | null;
  /** Chooses what is remembered; null = the model of the first agent does. */
  readonly curator: MemorySettings['model'] | null;
}

/**
 * Provider and model of every agent and every model-backed skill that the topology can reach,
 * before its first step. KIT_PROVIDER and KIT_MODEL win over the files. A judge without a model of
 * its own takes KIT_JUDGE_MODEL, else what the first agent that names a provider runs on. A
 * provider that is missing, unknown or without its key refuses the run; nothing falls back.
 *
 * Throws KIT_PROVIDER_UNKNOWN, KIT_PROVIDER_KEY_MISSING (naming the variable).
 */
export function resolveModels(deps: ModelDeps, of: ModelUsers): ResolvedModels {
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
  for (const use of usesOf(deps, of)) {
    const provider = bind(providerOf(deps, use), use.user);
    const contribution = providers[provider]?.contribution ?? '';
    const model = modelOf(deps, use, { provider, contribution });
    const toolProvider =
      textEnv(deps, 'KIT_PROVIDER') === null && use.choice.toolProvider !== null
        ? bind(use.choice.toolProvider, use.user)
        : provider;
    const toolModel = namedByEnv(deps, use, providers[toolProvider]?.contribution) ?? use.choice.toolModel ?? model;
    const fallback = isChosenByEnv(deps, use) ? [] : (use.choice.fallback ?? []);
    for (const one of fallback) bind(one.provider, use.user);
    models[use.user] = { provider, model, toolProvider, toolModel, ...(fallback.length === 0 ? {} : { fallback }) };
  }
  // Neither KIT_PROVIDER nor KIT_MODEL names a model for embeddings.
  const { embedding } = of;
  if (embedding != null) {
    const provider = bind(embedding.provider, EMBEDDING_MODEL);
    models[EMBEDDING_MODEL] = { provider, model: embedding.model, toolProvider: provider, toolModel: embedding.model };
  }
  return { models, providers };
}

/**
 * A skill without a model of its own is called with that of the agent that holds it; it is listed
 * only when it names one, or when it judges: then nobody holds it.
 */
function usesOf(deps: ModelDeps, { agents, skills, judges, bound, synthesis, curator }: ModelUsers): readonly Use[] {
  const callers = agents.filter(({ executor }) => executor.kind === 'model');
  const fallback = callers.find((node) => node.model.provider !== null)?.model ?? null;
  // A harness has no model that could be asked about its work: then it is that of the first agent
  // that names a provider.
  const boundUser = (id: string): string | null => {
    if (!bound.has(id)) return null;
    if (textEnv(deps, 'KIT_JUDGE_MODEL') !== null) return `skill:${id}`;
    return callers.length < agents.length ? `judge:${id}` : null;
  };
  const prompts = skills.flatMap((skill): readonly Use[] => {
    if (skill.implementation.type !== 'llm_prompt') return [];
    const { model } = skill.implementation;
    const isNamed = model.provider !== null || model.name !== null;
    const user = isNamed || judges.has(skill.id) ? `skill:${skill.id}` : boundUser(skill.id);
    if (user === null) return [];
    const provider = model.provider ?? fallback?.provider ?? null;
    // A prompt has no tools: nothing would call the model of tool-calling turns.
    const choice = {
      ...model,
      provider,
      name: isNamed ? model.name : (fallback?.name ?? null),
      toolProvider: null,
      toolModel: null,
    };
    return [{ user, choice, isJudge: !isNamed }];
  });
  const named = (user: string, provider: string | null, name: string): Use => ({
    user,
    choice: { ...NO_CHOICE, provider, name },
    isJudge: false,
  });
  return [
    ...callers.map((node) => ({ user: node.id, choice: node.model, isJudge: false })),
    ...prompts,
    ...(synthesis === null ? [] : [named(SYNTHESIS_MODEL, synthesis.provider, synthesis.model)]),
    ...(curator == null ? [] : [named(MEMORY_MODEL, curator.provider, curator.model)]),
  ];
}

/**
 * The model that the environment chooses for a use; null = none. KIT_MODEL alone puts no language
 * model in the place of a provider that is none, and does not name one where nothing asks it.
 */
function namedByEnv(deps: ModelDeps, use: Use, contribution = ''): string | null {
  const judge = use.isJudge ? textEnv(deps, 'KIT_JUDGE_MODEL') : null;
  const isIdle = NAMELESS.has(contribution) && textEnv(deps, 'KIT_PROVIDER') === null;
  return judge ?? (isIdle ? null : textEnv(deps, 'KIT_MODEL'));
}

/** Who asks for one model by the environment wants no other. */
const isChosenByEnv = (deps: ModelDeps, use: Use): boolean =>
  textEnv(deps, 'KIT_PROVIDER') !== null || namedByEnv(deps, use) !== null;

function providerOf(deps: ModelDeps, use: Use): string {
  const forced = textEnv(deps, 'KIT_PROVIDER');
  if (forced !== null) return forced;
  // The name of a judge's model may belong to another provider than that of the agents.
  const judgeModel = use.isJudge ? textEnv(deps, 'KIT_JUDGE_MODEL') : null;
  const named = (judgeModel === null ? null : providerOfModel(deps, judgeModel)) ?? use.choice.provider;
  if (named !== null) return named;
  const model = namedByEnv(deps, use) ?? use.choice.name;
  const found = model === null ? null : providerOfModel(deps, model);
  if (found !== null) return found;
  throw new KitError('KIT_PROVIDER_UNKNOWN', `${use.user} names no model provider`, {
    hint: use.isJudge
      ? 'Write model.provider in the skill, or set KIT_JUDGE_MODEL or KIT_PROVIDER.'
      : 'Write model.provider in the topology or archetype, or set KIT_PROVIDER.',
    data: { user: use.user },
  });
}

const providerOfModel = (deps: ModelDeps, model: string): string | null =>
  providerForModel(deps.workspace.providers, model, ({ apiKeyEnv }) => isKeySet(deps, apiKeyEnv))?.id ?? null;

const isKeySet = (deps: ModelDeps, apiKeyEnv: string | null): boolean => apiKeyEnv === null || deps.isSet(apiKeyEnv);

function modelOf(deps: ModelDeps, use: Use, of: { readonly provider: string; readonly contribution: string }): string {
  const { provider, contribution } = of;
  const isOther = NAMELESS_IDS.has(use.choice.provider ?? '') && !NAMELESS.has(contribution);
  const name = namedByEnv(deps, use, contribution) ?? (isOther ? null : use.choice.name);
  if (NAMELESS.has(contribution)) return name ?? provider;
  if (name !== null) return name;
  throw new KitError('KIT_PROVIDER_UNKNOWN', `${use.user} names the provider ${provider}, but no model`, {
    hint: 'Write model.name, or set KIT_MODEL.',
    data: { user: use.user, provider },
  });
}

function assertKey(deps: ModelDeps, of: { readonly resolved: BoundProvider; readonly user: string }): void {
  const { apiKeyEnv, binding } = of.resolved;
  if (deps.needsKeys === false || isKeySet(deps, apiKeyEnv)) return;
  throw new KitError(
    'KIT_PROVIDER_KEY_MISSING',
    `${of.user} uses the provider ${binding.id}, which needs ${apiKeyEnv}, and that is not set`,
    {
      hint: `Set ${apiKeyEnv}, or choose a provider that needs no key: \`kit providers list\` shows them.`,
      data: { provider: binding.id, variable: apiKeyEnv, user: of.user },
    },
  );
}

function textEnv(deps: ModelDeps, name: string): string | null {
  const value = deps.env[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
