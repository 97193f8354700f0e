import { withMembers } from '../../compile/link/composed-members.js';
import { topologyOf } from '../../compile/link/topology-of.js';
import { funnelsOf, workersOf } from '../../compile/link/walk-agents.js';
import { KitError } from '../../domain/errors.js';
import type { PluginHost } from '../../domain/extension-points.js';
import type { AttachmentRef, JobClass, JobNeeds, RunRequest } from '../../domain/job.js';
import { ENGINE } from '../../domain/journal.js';
import type { NewJob } from '../../domain/ports/stores.js';
import { type RunSnapshot, SNAPSHOT_FORMAT } from '../../domain/snapshot.js';
import type { AgentNode, Limits, LinkedFunnel, LinkedSkill, LinkedTopology, NotYetUse, Workspace } from '../../domain/workspace.js';
import { askedBindings } from '../../govern/bindings.js';
import { stricterLimits } from '../../govern/limits.js';
import { assertLimits } from '../../govern/start-checks.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import type { LoadSchemas } from '../../lib/json-schema.js';
import { hintFor } from '../../lib/nearest.js';
import { sha256Hex } from '../../lib/sha256.js';
import { acceptTraceParent } from '../../lib/trace-context.js';
import { adaptersOf, type TrustStore, type UntrustedAdapter, untrustedAdapters } from './adapter-trust.js';
import { assertCredentialSources } from './assert-credentials.js';
import { assertExecutors } from './assert-executors.js';
import { assertPolicies } from './assert-policies.js';
import { assertServers } from './assert-servers.js';
import { type AuthorNotice, authorNotice, authorUnidentified } from './author-notice.js';
import { checkInput, inputRefused } from './check-input.js';
import { frozenCompression } from './frozen-compression.js';
import { frozenParts } from './frozen-parts.js';
import { judgingOf, topologyFor } from './judging.js';
import { type NeedsPlugins, needsOf } from './needs-of.js';
import { notYetVariables } from './not-yet-variables.js';
import { type ModelDeps, resolveModels } from './resolve-models.js';

/** Bytes of one accepted attachment, to be stored under their digest before the row names them. */
export interface AcceptedAttachment {
  readonly ref: AttachmentRef;
  readonly bytes: Uint8Array;
}

/** What `prepareRun` looks at; none of it writes anything but the audit of a refused input. */
export interface PrepareDeps extends ModelDeps {
  readonly workspace: Workspace;
  readonly plugins: ModelDeps['plugins'] & NeedsPlugins & Pick<PluginHost, 'resolve'>;
  /** The validator of the session. */
  readonly schemas: LoadSchemas;
  readonly trust: TrustStore;
  /** Checks attachments against the workspace. Throws KIT_ATTACHMENT_INVALID. */
  readonly attachments: (request: RunRequest) => Promise<readonly AcceptedAttachment[]>;
  /** Refuses a cost limit over a model without a known price, before the first call. Throws KIT_PRICE_UNKNOWN. */
  readonly assertPrices: (snapshot: RunSnapshot) => Promise<void>;
  /** HEAD of the repository that holds the workspace; null without one. */
  readonly headCommit: () => Promise<string | null>;
  /** Canonical texts of agents and skills, filled here; one for all runs of the session, because a loaded workspace never changes. */
  readonly texts?: WeakMap<object, string>;
  /** True for a plan that no input was given for: there is nothing to check. Default false. */
  readonly isAnyInput?: boolean;
  /** True where another machine executes the run: its keys and credential sources are that machine's. Default false. */
  readonly isElsewhere?: boolean;
  /** True for a replay: no credential is resolved, so a source that nothing here brings is no reason to refuse. Default false. */
  readonly callsNobody?: boolean;
  /** Told when an input was refused: the one refusal that is audited (interface.md, `input.rejected`). */
  readonly onInputRejected: (topology: string, errors: readonly { readonly pointer: string; readonly message: string }[]) => Promise<void>;
}

/** Everything a run needs, decided and frozen, before anything is written. */
export interface PreparedRun {
  readonly topology: LinkedTopology;
  readonly snapshot: RunSnapshot;
  readonly snapshotBytes: Uint8Array;
  readonly job: Omit<NewJob, 'id'>;
  readonly attachments: readonly AcceptedAttachment[];
  /** Digest of the input schema that the input was checked against; null = there is none. */
  readonly inputSchemaDigest: string | null;
  /** Set when a gate of the run excludes its author and nobody knows who that is; every door says so. */
  readonly author: AuthorNotice | null;
  /** Keys that the topology uses, and variables that are set, without an effect yet; shown, never silent. */
  readonly warnings: readonly NotYetUse[];
  /** Whose workspace it is, for whoever reads `run.started`: audit, sinks, telemetry. */
  readonly labels: Pick<Workspace, 'organisation' | 'team' | 'annotations'>;
  /** What a person still has to approve; `approveOrRefuse` is what refuses it, when a run is submitted and again when it is opened. */
  readonly untrusted: readonly UntrustedAdapter[];
}

/**
 * Checks a request in the stated order (topology, input, attachments) and builds the snapshot. Every refusal is before a job exists.
 *
 * Throws KIT_TOPOLOGY_UNKNOWN, KIT_NOT_YET, KIT_AUTHOR_UNIDENTIFIED, KIT_INPUT_INVALID, KIT_ATTACHMENT_INVALID, KIT_LABEL_INVALID, KIT_LIMIT_INVALID,
 * KIT_TOOL_SERVER_UNKNOWN, KIT_PRICE_UNKNOWN, KIT_PROVIDER_UNKNOWN, KIT_PROVIDER_KEY_MISSING, KIT_EXECUTOR_UNKNOWN, KIT_PLUGIN_CONFIG_INVALID,
 * KIT_POLICY_INVALID, KIT_CREDENTIAL_UNRESOLVED.
 */
export async function prepareRun(deps: PrepareDeps, request: RunRequest): Promise<PreparedRun> {
  const { workspace } = deps;
  const topology = topologyFor(request, findTopology(workspace, request.topology));
  const key = `${topology.name}@${topology.version}`;
  const warnings = [...assertConsumed(workspace.notYet, key), ...notYetVariables(deps.isSet)];
  assertLabels(request.labels);
  const author = judgeAuthor(workspace, topology, request);
  const input = await checkInput(deps.isAnyInput === true ? null : topology.inputSchema, request.input, deps.schemas);
  if (!input.ok) {
    await deps.onInputRejected(key, input.errors);
    throw inputRefused(key, input.errors);
  }
  const attachments = await deps.attachments(request);
  assertLimits(workspace.limits);
  await assertPolicies(deps.plugins, workspace);
  const snapshot = await freeze(deps, topology, request);
  await deps.assertPrices(snapshot);
  const snapshotBytes = new TextEncoder().encode(snapshotText(snapshot, deps.texts ?? new WeakMap()));
  return {
    topology,
    snapshot,
    snapshotBytes,
    job: jobOf(request, {
      topology,
      jobClass: hasExecutor(workersOf(topology.root, findFunnel(workspace))) ? 'harness' : 'model',
      snapshotDigest: sha256Hex(snapshotBytes),
      needs: needsOf(deps.plugins, snapshot),
      input: input.text,
      attachments,
    }),
    attachments,
    inputSchemaDigest: topology.inputSchema === null ? null : sha256Hex(canonicalJson(topology.inputSchema)),
    author,
    labels: { organisation: workspace.organisation, team: workspace.team, annotations: workspace.annotations },
    warnings,
    untrusted: await untrustedAdapters(deps.trust, { workspace, adapters: snapshot.adapters }),
  };
}

/** The tree of agents and the skills are most of a snapshot, and the same objects in each one of a topology. */
function snapshotText(snapshot: RunSnapshot, texts: WeakMap<object, string>): string {
  for (const part of [snapshot.topology.root, ...Object.values(snapshot.skills)]) if (!texts.has(part)) texts.set(part, canonicalJson(part));
  return canonicalJson(snapshot, texts);
}

const findFunnel =
  (workspace: Workspace) =>
  (id: string): LinkedFunnel | undefined =>
    workspace.linkedFunnels.get(id);

function judgeAuthor(workspace: Workspace, topology: LinkedTopology, { submittedBy }: RunRequest): AuthorNotice | null {
  const notice = authorNotice(workspace, funnelsOf(topology.root, findFunnel(workspace)), submittedBy);
  if (notice !== null && workspace.governance.requireIdentifiedAuthor) throw authorUnidentified(notice);
  return notice;
}

/** Throws KIT_TOPOLOGY_UNKNOWN naming what there is. */
export function findTopology(workspace: Workspace, name: string): LinkedTopology {
  const found = topologyOf(workspace, name);
  if (found !== null) return found;
  const names = [...workspace.topologies.keys()];
  throw new KitError('KIT_TOPOLOGY_UNKNOWN', `there is no topology ${name}; the workspace has ${names.length === 0 ? 'none' : names.join(', ')}`, {
    hint: hintFor(name, name.includes('@') ? names : names.map((known) => known.replace(/@.*$/, '')), {
      fallback: 'Run `kit validate --tree` to look at them.',
    }),
    data: { topology: name, known: names },
  });
}

/** A key that governs, limits, secures or changes the result and that no code consumes yet refuses the run. */
function assertConsumed(uses: readonly NotYetUse[], topology: string): readonly NotYetUse[] {
  const reached = uses.filter((use) => use.reachedBy === null || use.reachedBy.includes(topology));
  const refused = reached.filter((use) => use.mark === 'refuse');
  if (refused.length > 0) {
    const list = refused.map((use) => `${use.key} (${use.path}#${use.pointer})`);
    throw new KitError('KIT_NOT_YET', `${topology} uses what this version does not carry out yet: ${[...new Set(list)].join(', ')}`, {
      data: { keys: refused.map((use) => use.key) },
    });
  }
  return reached;
}

/** String to string, at most 64, key up to 128 and value up to 1024 characters (gaps B17). */
function assertLabels(labels: RunRequest['labels']): void {
  const entries = Object.entries(labels);
  const bad = entries.find(([key, value]) => key === '' || key.length > 128 || value.length > 1024);
  if (entries.length > 64) throw new KitError('KIT_LABEL_INVALID', `a run carries at most 64 labels, not ${entries.length}`);
  if (bad !== undefined)
    throw new KitError('KIT_LABEL_INVALID', `the label ${bad[0].slice(0, 128)} is too long: a key has 1 to 128 characters, a value up to 1024`);
}

const UNLIMITED: Limits = { maxStepsPerAgent: null, maxStepsPerRun: Number.POSITIVE_INFINITY, maxCostPerRunUsd: null };

async function freeze(deps: PrepareDeps, topology: LinkedTopology, request: RunRequest): Promise<RunSnapshot> {
  const { workspace } = deps;
  const { maxSteps, route } = request;
  const find = findFunnel(workspace);
  const funnels = funnelsOf(topology.root, find);
  const judging = judgingOf(workspace, request);
  const agents = judging?.usesAgent === false ? [] : workersOf(topology.root, find);
  const funnelJudges = funnels.flatMap((funnel) => funnel.judge?.skill ?? []);
  const judges = new Set([...withMembers(workspace, funnelJudges), ...(judging === null ? [] : [judging.skill.id])]);
  const asked = judging === null ? askedBindings(topology.decisions).map(({ skill }) => skill) : [];
  const bound = new Set(withMembers(workspace, asked));
  const held = withMembers(
    workspace,
    agents.flatMap((node) => node.skills),
  );
  const skills = judging !== null ? [judging.skill] : skillsOf(workspace, [...held, ...judges, ...bound]);
  const synthesis = judging === null ? topology.synthesis : null;
  const embedding = judging === null && workspace.memory.enabled ? (workspace.memory.embedding ?? null) : null;
  const resolved = resolveModels({ ...deps, needsKeys: deps.isElsewhere !== true }, { agents, skills, judges, bound, synthesis, embedding });
  await assertExecutors(deps.plugins, agents, deps.schemas);
  assertServers(deps, skills);
  if (deps.callsNobody !== true && deps.isElsewhere !== true) assertCredentialSources(deps, skills);
  return {
    format: SNAPSHOT_FORMAT,
    workspaceId: workspace.id,
    topology: { name: topology.name, version: topology.version, root: topology.root },
    ...(route === undefined ? {} : { route }),
    skills: Object.fromEntries(skills.map((skill) => [skill.id, skill])),
    funnels: Object.fromEntries(funnels.map((funnel) => [funnel.id, funnel])),
    ...frozenParts(workspace, topology, {
      skills,
      compression: frozenCompression({ policy: workspace.compression, env: deps.env, plugins: deps.plugins }),
    }),
    ...(judging === null ? {} : { judge: judging.judgement }),
    autoResume: workspace.autoResume,
    adapters: adaptersOf(workspace, agents),
    providers: resolved.providers,
    models: resolved.models,
    limits: maxSteps === undefined ? workspace.limits : stricterLimits(workspace.limits, { ...UNLIMITED, maxStepsPerRun: maxSteps }),
    env: deps.env,
    humanScopes: [...workspace.humanScopes].sort(),
    governance: { provider: workspace.governance.provider, config: workspace.governance.config },
    baseCommit: hasExecutor(agents) ? await deps.headCommit() : null,
  };
}

const skillsOf = (workspace: Workspace, ids: readonly string[]): readonly LinkedSkill[] =>
  [...new Set(ids)].flatMap((id) => workspace.skills.get(id) ?? []);

const hasExecutor = (agents: readonly AgentNode[]): boolean => agents.some(({ executor }) => executor.kind !== 'model');

interface JobFacts {
  readonly topology: LinkedTopology;
  readonly jobClass: JobClass;
  readonly snapshotDigest: string;
  readonly needs: JobNeeds;
  readonly input: string;
  readonly attachments: readonly AcceptedAttachment[];
}

function jobOf(request: RunRequest, facts: JobFacts): Omit<NewJob, 'id'> {
  const { topology } = facts;
  return {
    topology: topology.name,
    version: topology.version,
    input: facts.input,
    correlationId: request.correlationId,
    labels: request.labels,
    parentJobId: request.supersedes,
    source: request.source,
    submittedBy: request.submittedBy,
    jobClass: facts.jobClass,
    priority: priorityOf(request.labels),
    engine: ENGINE,
    needs: facts.needs,
    snapshot: facts.snapshotDigest,
    recover: request.recover,
    timeoutMs: request.timeoutMs,
    attachments: facts.attachments.map((attachment) => attachment.ref),
    traceParent: acceptTraceParent(request.traceParent),
  };
}

/** From the label `priority`: integer text; anything else is 0. */
function priorityOf(labels: RunRequest['labels']): number {
  const text = labels.priority ?? '';
  const value = /^-?\d{1,9}$/.test(text) ? Number(text) : 0;
  return value;
}
