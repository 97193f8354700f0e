import { withMembers } from '../../compile/link/composed-members.js';
import { funnelsOf, workersOf } from '../../compile/link/walk-agents.js';
import type { AgentNode } from '../../domain/agent-node.js';
import { KitError } from '../../domain/errors.js';
import type { PluginHost } from '../../domain/extension-points.js';
import type { AttachmentRef, RunRequest } from '../../domain/job.js';
import type { KnowledgeBase } from '../../domain/knowledge.js';
import type { Limits } from '../../domain/limits.js';
import { askedLimits } from '../../domain/limits.js';
import type { LinkedFunnel } from '../../domain/linked-funnel.js';
import type { LinkedSkill } from '../../domain/linked-skill.js';
import type { LinkedTopology } from '../../domain/linked-topology.js';
import type { AskVersion } from '../../domain/ports/programs.js';
import { RULE_SET, type RunSnapshot, SNAPSHOT_FORMAT } from '../../domain/snapshot.js';
import type { Workspace } from '../../domain/workspace.js';
import { askedBindings } from '../../govern/bindings.js';
import { stricterLimits } from '../../govern/limits.js';
import { assertReported } from '../../govern/start-checks.js';
import type { LoadSchemas } from '../../lib/json-schema.js';
import type { PreparedKnowledge } from '../knowledge/prepare-knowledge.js';
import type { TrustStore } from './adapter-trust.js';
import { adaptersOf } from './adapter-trust.js';
import { assertCredentialSources } from './assert-credentials.js';
import { assertExecutors } from './assert-executors.js';
import { assertServers } from './assert-servers.js';
import { frozenCompression } from './frozen-compression.js';
import { frozenParts } from './frozen-parts.js';
import { assertAnswers, judgingOf } from './judging.js';
import type { NeedsPlugins } from './needs-of.js';
import { type ModelDeps, resolveModels } from './resolve-models.js';
import type { ReferenceDeps } from './wanted-references.js';

/** What a run is frozen from: the parts of `PrepareDeps` that decide its work. */
export type FreezeDeps = ModelDeps &
  Pick<PrepareDeps, 'workspace' | 'plugins' | 'schemas' | 'headCommit' | 'mode' | 'knowledge' | 'askVersion'>;

/**
 * A snapshot, and how the documents that it searches get into the store; null = it searches none.
 */
export interface Frozen {
  readonly snapshot: RunSnapshot;
  readonly knowledge: PreparedKnowledge | null;
}

/**
 * The work of one topology in compiled form, without the runs that it may ask for. Throws
 * KIT_PROVIDER_UNKNOWN, KIT_PROVIDER_KEY_MISSING, KIT_EXECUTOR_UNKNOWN, KIT_PLUGIN_UNKNOWN,
 * KIT_PLUGIN_CONFIG_INVALID, KIT_TOOL_SERVER_UNKNOWN, KIT_CREDENTIAL_UNRESOLVED,
 * KIT_BINARY_VERSION, KIT_KNOWLEDGE_INVALID, KIT_STORE_UNAVAILABLE.
 */
export async function freeze(deps: FreezeDeps, topology: LinkedTopology, request: RunRequest): Promise<Frozen> {
  const { workspace } = deps;
  const { route, conversation = [], asked: { depth } = { depth: 0 } } = request;
  const { judging, remembers, ...work } = workOf(workspace, topology, request);
  const { agents, funnels } = work;
  const skills = await settled(work.skills, deps.plugins);
  const { embedding = null, model: curator = null } = remembers ? workspace.memory : {};
  const resolved = resolveModels(
    { ...deps, needsKeys: deps.mode !== 'queued' },
    { ...work, skills, embedding, curator },
  );
  assertAnswers(request, resolved);
  await assertExecutors(deps.plugins, agents, deps.schemas);
  assertServers(deps, skills);
  if (deps.mode !== 'replay' && deps.mode !== 'queued') {
    assertCredentialSources(deps, skills);
    if (skills.some(needsVersion))
      await (await import('./assert-binaries.js')).assertSkillBinaries(deps.askVersion, skills);
  }
  const adapters = adaptersOf(workspace, agents);
  const limits = limitsOf(workspace, request);
  assertReported({ limits, agents, adapters });
  const knowledge = await knowledgeOf(deps, skills);
  const snapshot: RunSnapshot = {
    format: SNAPSHOT_FORMAT,
    ruleSet: RULE_SET,
    workspaceId: workspace.id,
    topology: {
      name: topology.name,
      version: topology.version,
      ...(topology.description === null ? {} : { description: topology.description }),
      root: topology.root,
    },
    ...(route === undefined ? {} : { route }),
    skills: Object.fromEntries(skills.map((skill) => [skill.id, skill])),
    funnels: Object.fromEntries(funnels.map((funnel) => [funnel.id, funnel])),
    ...frozenParts(workspace, topology, {
      skills,
      knowledge: knowledge?.frozen ?? [],
      remembers,
      compression: frozenCompression({ policy: workspace.compression, env: deps.env, plugins: deps.plugins }),
    }),
    ...(conversation.length === 0 ? {} : { conversation }),
    ...(judging === null ? {} : { judge: judging.judgement }),
    autoResume: workspace.autoResume,
    adapters,
    providers: resolved.providers,
    models: resolved.models,
    limits,
    ...(depth === 0 ? {} : { depth }),
    env: deps.env,
    humanScopes: [...workspace.humanScopes].sort(),
    governance: { provider: workspace.governance.provider, config: workspace.governance.config },
    baseCommit: hasExecutor(agents) ? await deps.headCommit() : null,
  };
  return { snapshot, knowledge };
}

/** Which of the workspace the run uses, and as what. */
function workOf(workspace: Workspace, topology: LinkedTopology, request: RunRequest) {
  const find = findFunnel(workspace);
  const funnels = funnelsOf(topology.root, find);
  const judging = judgingOf(workspace, request);
  const agents = judging?.usesAgent === false ? [] : workersOf(topology.root, find);
  const judges = new Set([
    ...withMembers(
      workspace,
      funnels.flatMap((funnel) => funnel.judge?.skill ?? []),
    ),
    ...(judging === null ? [] : judging.skills.map(({ id }) => id)),
  ]);
  const asked = judging === null ? askedBindings(topology.decisions).map(({ skill }) => skill) : [];
  const bound = new Set(withMembers(workspace, asked));
  const held = withMembers(
    workspace,
    agents.flatMap((node) => node.skills),
  );
  return {
    ...{ judging, funnels, agents, judges, bound },
    skills: judging !== null ? judging.skills : skillsOf(workspace, [...held, ...judges, ...bound]),
    synthesis: judging === null ? topology.synthesis : null,
    // What judges and what answers about runs neither reads nor feeds the memory of the work.
    remembers:
      workspace.memory.enabled && judging === null && request.answer === undefined && request.remembers !== false,
  };
}

/** The stricter of what the workspace allows and what whoever asks does. */
function limitsOf({ limits }: Pick<Workspace, 'limits'>, request: RunRequest): Limits {
  const asked = askedLimits(request);
  return asked === null ? limits : stricterLimits(limits, asked);
}

/** What is read is what some skill of the run searches, wherever its base is written. */
async function knowledgeOf(
  { knowledge }: FreezeDeps,
  skills: readonly LinkedSkill[],
): Promise<PreparedKnowledge | null> {
  const bases = skills.flatMap(({ implementation }) =>
    implementation.type === 'knowledge' ? [implementation.base] : [],
  );
  if (bases.length === 0) return null;
  if (knowledge === undefined)
    throw new KitError(
      'KIT_KNOWLEDGE_INVALID',
      `nothing here reads the documents of ${bases.map(({ id }) => id).join(', ')}`,
    );
  return knowledge(bases);
}

const needsVersion = ({ implementation }: LinkedSkill): boolean =>
  implementation.type === 'command' && implementation.command.requires !== undefined;

/** Strategies of plugins are rare: what settles them is loaded with the first. */
async function settled(
  skills: readonly LinkedSkill[],
  plugins: FreezeDeps['plugins'],
): Promise<readonly LinkedSkill[]> {
  const isCustom = skills.some(
    ({ implementation }) => implementation.type === 'composed' && implementation.strategy === 'custom',
  );
  return isCustom ? (await import('./frozen-strategies.js')).frozenStrategies(skills, plugins) : skills;
}

const skillsOf = (workspace: Workspace, ids: readonly string[]): readonly LinkedSkill[] =>
  [...new Set(ids)].flatMap((id) => workspace.skills.get(id) ?? []);

/** Whether some agent needs more than a model. */
export const hasExecutor = (agents: readonly AgentNode[]): boolean =>
  agents.some(({ executor }) => executor.kind !== 'model');

/** Where the funnels of a workspace are looked up. */
export const findFunnel =
  (workspace: Workspace) =>
  (id: string): LinkedFunnel | undefined =>
    workspace.linkedFunnels.get(id);

/** What `prepareRun` looks at; none of it writes anything but the audit of a refused input. */
export interface PrepareDeps extends ModelDeps, ReferenceDeps {
  readonly workspace: Workspace;
  readonly plugins: ModelDeps['plugins'] &
    NeedsPlugins &
    Pick<PluginHost, 'resolve' | 'list'> &
    Partial<Pick<PluginHost, 'installedSince' | 'usableNow'>>;
  /** The validator of the session. */
  readonly schemas: LoadSchemas;
  readonly trust: TrustStore;
  /** Checks attachments against the workspace. Throws KIT_ATTACHMENT_INVALID. */
  readonly attachments: (request: RunRequest) => Promise<readonly AcceptedAttachment[]>;
  /**
   * Refuses a cost limit over a model without a known price, before the first call. Throws
   * KIT_PRICE_UNKNOWN.
   */
  readonly assertPrices: (snapshot: RunSnapshot) => Promise<void>;
  /**
   * Looks at the documents of knowledge bases; never asked for none. Throws KIT_KNOWLEDGE_INVALID,
   * KIT_STORE_UNAVAILABLE. Absent: no run may search.
   */
  readonly knowledge?: (bases: readonly KnowledgeBase[]) => Promise<PreparedKnowledge>;
  /** What programs of this machine say of their version. */
  readonly askVersion: AskVersion;
  /** Whether a text holds a value that kit masks elsewhere. Absent: nobody is asked. */
  readonly holdsSecret?: (text: string) => Promise<boolean>;
  /** HEAD of the repository that holds the workspace; null without one. */
  readonly headCommit: () => Promise<string | null>;
  /**
   * Canonical texts of agents and skills, filled here; one for all runs of the session, because a
   * loaded workspace never changes.
   */
  readonly texts?: WeakMap<object, string>;
  /**
   * Told when an input was refused: the one refusal that is audited
   * (docs/design/execution.md#input). The topology is named as every other event names it, without
   * its version.
   */
  readonly onInputRejected: (
    topology: string,
    errors: readonly { readonly pointer: string; readonly message: string }[],
  ) => Promise<void>;
}

/** Bytes of one accepted attachment, to be stored under their digest before the row names them. */
export interface AcceptedAttachment {
  readonly ref: AttachmentRef;
  readonly bytes: Uint8Array;
}
