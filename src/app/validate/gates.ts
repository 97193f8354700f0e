import { agentsOf } from '../../compile/link/walk-agents.js';
import type { Diagnostic } from '../../domain/diagnostic.js';
import type { Workspace } from '../../domain/workspace.js';
import { openFunnels } from '../submit/gates-enforced.js';

/** Gates that nobody could be asked about, where the workspace requires its gates. */
export function gateDiagnostics(workspace: Workspace): readonly Diagnostic[] {
  if (!workspace.governance.requireGates) return [];
  const used = [...workspace.topologies.values()].flatMap(({ root }) =>
    [...agentsOf(root)].flatMap(({ funnel }) => funnel ?? []),
  );
  const funnels = [...new Set(used)].flatMap((id) => workspace.linkedFunnels.get(id) ?? []);
  return openFunnels(workspace, funnels).flatMap(({ funnel, why }): readonly Diagnostic[] => {
    const artifact = workspace.funnels.get(funnel);
    if (artifact === undefined) return [];
    return [
      {
        code: 'funnel.not-enforceable',
        severity: 'error',
        message: `nobody can decide this gate, and the workspace requires its gates: ${why}`,
        path: artifact.path,
        pointer: '/approve',
        span: artifact.keySpanOf('/approve'),
        help: 'define the role under roles/ with the scope of the rule, or name another',
      },
    ];
  });
}
