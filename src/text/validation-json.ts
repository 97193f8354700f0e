import type { AgentSummary, TopologySummary, UnmetDemand, WorkspaceReport } from '../app/workspace-report.js';
import type { JsonObject } from '../domain/json.js';
import { toWireReachability, toWireVerification } from '../view/schemas/workspace.js';
import { diagnosticsJson } from './diagnostics/diagnostics-json.js';

const agentJson = (agent: AgentSummary): JsonObject => ({
  id: agent.id,
  role: agent.role,
  archetype: agent.archetype,
  executor: agent.executor,
  model: agent.model,
  skills: agent.skills,
  base_scope: agent.baseScope,
  children: agent.children.map(agentJson),
});

const topologyJson = ({ id, description, root }: TopologySummary): JsonObject => ({
  type: 'validate.topology',
  id,
  description,
  root: agentJson(root),
});

function reportLines(report: WorkspaceReport, withTree: boolean): readonly JsonObject[] {
  if (report.workspace === null) return [];
  const { ids, reachability, verification, launches, knowledge } = report;
  return [
    {
      type: 'validate.ok',
      workspace: report.workspace.id,
      topologies: ids.topologies.length,
      skills: ids.skills.length,
      archetypes: ids.archetypes.length,
      triggers: ids.triggers.length,
    },
    ...(withTree ? report.tree.map(topologyJson) : []),
    ...(withTree
      ? launches.map(({ kind, id, argv }): JsonObject => ({ type: 'validate.launch', kind, id, argv }))
      : []),
    ...(withTree
      ? knowledge.map(
          ({ id, path, include }): JsonObject => ({ type: 'validate.knowledge', id, path, include: [...include] }),
        )
      : []),
    { type: 'validate.reachability', ...toWireReachability(reachability) },
    { type: 'validate.verification', ...toWireVerification(verification) },
  ];
}

export interface ValidationJsonOptions {
  readonly tree: boolean;
  /** Errors and the summary alone. */
  readonly quiet: boolean;
  /** Why a check that was asked for failed; [] = none did. */
  readonly failures: readonly UnmetDemand[];
}

/** The JSON Lines of `kit validate`: problems, then what there is, then `validate.summary`. */
export function validationJson(
  report: WorkspaceReport,
  { tree, quiet, failures }: ValidationJsonOptions,
): readonly JsonObject[] {
  const errors = report.diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  const shown = quiet ? errors : report.diagnostics;
  const summary: JsonObject = {
    type: 'validate.summary',
    status: errors.length === 0 && failures.length === 0 ? 'ok' : 'failed',
    errors: errors.length,
    warnings: report.diagnostics.filter((diagnostic) => diagnostic.severity === 'warning').length,
    files_affected: new Set(report.diagnostics.map((diagnostic) => diagnostic.path)).size,
    failures: failures.map(({ message }) => message),
  };
  return [...diagnosticsJson(shown, report.sources), ...(quiet ? [] : reportLines(report, tree)), summary];
}
