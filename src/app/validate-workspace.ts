import { sortDiagnostics } from '../compile/diagnostics/sort.js';
import { knowledgeBases } from '../compile/link/knowledge.js';
import type { AgentNode, ExecutorChoice, ModelChoice } from '../domain/agent-node.js';
import type { Diagnostic } from '../domain/diagnostic.js';
import type { LinkedTopology } from '../domain/linked-topology.js';
import type { NotYetUse } from '../domain/not-yet-use.js';
import type { Workspace } from '../domain/workspace.js';
import { mapTexts } from '../lib/map-texts.js';
import { withoutEffect } from '../view/not-yet-text.js';
import { type CompiledDirectory, compileDirectory, type WorkspaceDeps } from './load-workspace.js';
import { hasPolicies } from './policy-workspace.js';
import { authorDiagnostics } from './validate/author.js';
import { gateDiagnostics } from './validate/gates.js';
import type { GovernanceFindings } from './validate/governance.js';
import { launchesOf } from './validate/launches.js';
import { reachabilityOf, verificationOf } from './validate/reachability.js';
import type { AgentSummary, TopologySummary, WorkspaceReport } from './workspace-report.js';

function executorName(executor: ExecutorChoice): string {
  return executor.kind === 'model' ? 'model' : `${executor.kind}:${executor.ref}`;
}

function modelName(model: ModelChoice): string | null {
  const parts = [model.provider, model.name].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join('/');
}

const agentSummary = (agent: AgentNode): AgentSummary => ({
  id: agent.id,
  role: agent.role,
  archetype: agent.archetype,
  executor: executorName(agent.executor),
  model: agent.executor.kind === 'model' ? modelName(agent.model) : null,
  skills: agent.skills,
  baseScope: agent.baseScope,
  children: agent.children.map(agentSummary),
});

/** Topologies with their effective agents, by name and version. */
const treeOf = (topologies: ReadonlyMap<string, LinkedTopology>): readonly TopologySummary[] =>
  [...topologies]
    .map(([id, topology]) => ({ id, description: topology.description, root: agentSummary(topology.root) }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));

/**
 * A use of a key without effect, as a warning; whether a run is refused for it depends on what the
 * run reaches.
 */
function notYetDiagnostic(use: NotYetUse): Diagnostic {
  const consequence = use.mark === 'refuse' ? 'a run that reaches it is refused' : 'runs go on without it';
  return {
    code: 'key.not-yet',
    severity: 'warning',
    message: withoutEffect({ ...use, key: `\`${use.key}\`` }),
    path: use.path,
    pointer: use.pointer,
    ...(use.span === null ? {} : { span: use.span, label: 'not yet' }),
    help: consequence,
  };
}

type Reports = Pick<
  WorkspaceReport,
  'ids' | 'tree' | 'reachability' | 'verification' | 'notYet' | 'launches' | 'knowledge'
>;

const NOTHING: Reports = {
  ids: { topologies: [], skills: [], archetypes: [], triggers: [] },
  tree: [],
  reachability: { ok: true, reachable: [], unreachable: [], orphans: [] },
  verification: [],
  notYet: [],
  launches: [],
  knowledge: [],
};

async function reportsOf(workspace: Workspace, compiled: CompiledDirectory): Promise<Reports> {
  if (compiled.linked === null) return NOTHING;
  const { wiringsOf } = await import('../compile/link/wirings.js');
  const wirings = wiringsOf(compiled.linked);
  return {
    ids: {
      topologies: [...workspace.topologies.keys()],
      skills: [...workspace.skillArtifacts.keys()],
      archetypes: [...workspace.archetypes.keys()],
      triggers: [...workspace.triggers.keys()],
    },
    tree: treeOf(workspace.topologies),
    reachability: reachabilityOf(compiled.linked, wirings),
    verification: verificationOf(compiled.linked, wirings),
    notYet: workspace.notYet,
    launches: launchesOf(compiled.linked),
    knowledge: [...knowledgeBases(compiled.linked.registries.topologies.values()).values()].map(
      ({ id, path, include }) => ({ id, path, include }),
    ),
  };
}

/** The proof of policies is loaded where there is one to prove (docs/performance.md). */
async function policiesOf(workspace: Workspace): Promise<readonly Diagnostic[]> {
  if (workspace.linkedFunnels.size === 0) return [];
  const { policyDiagnostics } = await import('./validate/policies.js');
  return policyDiagnostics(workspace);
}

/** Types of triggers are loaded where there is one to ask. */
async function triggersOf(
  workspace: Workspace,
  compiled: CompiledDirectory,
  { openPlugins }: WorkspaceDeps,
): Promise<readonly Diagnostic[]> {
  if (openPlugins === undefined || workspace.triggerSpecs.size === 0) return [];
  const { triggerDiagnostics } = await import('./validate/triggers.js');
  const plugins = await openPlugins(workspace, compiled.references.lookup);
  try {
    return await triggerDiagnostics(workspace, plugins);
  } finally {
    await plugins.dispose();
  }
}

/** The governance provider is loaded where the workspace gives it something to read. */
async function governanceOf(
  workspace: Workspace,
  compiled: CompiledDirectory,
  { openPlugins, files }: WorkspaceDeps,
): Promise<GovernanceFindings> {
  const config = compiled.linked?.registries.config;
  if (openPlugins === undefined || config === undefined || !hasPolicies(workspace))
    return { diagnostics: [], sources: new Map() };
  const { governanceDiagnostics } = await import('./validate/governance.js');
  const plugins = await openPlugins(workspace, compiled.references.lookup);
  const { root } = compiled;
  const textOf = async (path: string): Promise<string | null> => {
    const real = await files.realPath(`${root}/${path}`);
    // A policy may lie elsewhere; what is shown is of the workspace.
    return real?.startsWith(`${root}/`) === true ? files.readText(real) : null;
  };
  try {
    return await governanceDiagnostics(workspace, plugins, { config, textOf });
  } finally {
    await plugins.dispose();
  }
}

/** Programs are looked for where an agent delegates to one. */
async function programsOf({ linked }: CompiledDirectory, deps: WorkspaceDeps): Promise<readonly Diagnostic[]> {
  const isAny = [...(linked?.registries.archetypes.values() ?? [])].some(({ value }) => value.executor !== undefined);
  if (linked === null || !isAny) return [];
  const { missingPrograms } = await import('./validate/required-programs.js');
  return missingPrograms(linked, deps);
}

/** Documents are read where there is one to search. */
async function knowledgeOf(
  workspace: Workspace,
  { files, openDocuments }: WorkspaceDeps,
): Promise<readonly Diagnostic[]> {
  if (
    openDocuments === undefined ||
    [...workspace.topologies.values()].every(({ knowledge }) => knowledge.length === 0)
  )
    return [];
  const { knowledgeDiagnostics } = await import('./validate/knowledge.js');
  return knowledgeDiagnostics(workspace, { files, ...(await openDocuments()) });
}

/**
 * Everything that `kit validate` knows of a directory. Problems of the workspace are values; with
 * an error among them the reports are empty. Values of secrets are masked, wherever an author put
 * them.
 *
 * Throws KIT_WORKSPACE_NOT_FOUND for a path without a workspace.
 */
export async function validateWorkspace(directory: string, deps: WorkspaceDeps): Promise<WorkspaceReport> {
  const compiled = await compileDirectory(directory, deps);
  const { workspace, root } = compiled;
  if (workspace === null)
    return {
      workspace: null,
      diagnostics: sortDiagnostics(compiled.diagnostics),
      sources: compiled.sources,
      ...NOTHING,
    };
  const masked = (found: Diagnostic): Diagnostic => ({ ...found, message: compiled.mask(found.message) });
  const governance = await governanceOf(workspace, compiled, deps);
  const sources = new Map([...compiled.sources, ...governance.sources]);
  const diagnostics = sortDiagnostics([
    ...compiled.diagnostics,
    ...workspace.notYet.map(notYetDiagnostic),
    ...gateDiagnostics(workspace),
    ...authorDiagnostics(workspace, deps.submitter ?? null),
    ...(await policiesOf(workspace)).map(masked),
    ...governance.diagnostics.map(masked),
    ...(await knowledgeOf(workspace, deps)),
    ...(await programsOf(compiled, deps)),
    ...(await triggersOf(workspace, compiled, deps)).map(masked),
  ]);
  if (diagnostics.some(({ severity }) => severity === 'error'))
    return { workspace: null, diagnostics, sources, ...NOTHING };
  return {
    workspace: {
      id: compiled.mask(workspace.id),
      name: compiled.mask(workspace.name),
      description: workspace.description === null ? null : compiled.mask(workspace.description),
      root,
    },
    diagnostics,
    sources,
    ...mapTexts(await reportsOf(workspace, compiled), compiled.mask),
  };
}
