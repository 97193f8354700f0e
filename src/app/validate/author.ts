import { agentsOf } from '../../compile/link/walk-agents.js';
import type { Diagnostic } from '../../domain/diagnostic.js';
import type { Workspace } from '../../domain/workspace.js';
import { authorNotice } from '../submit/author-notice.js';

/**
 * Said where the person at this machine would submit a run without being identified, at a gate that
 * excludes its author: nobody could be excluded then (docs/design/decisions.md#author). It depends
 * on who asks, so it is not a warning: no demand fails for it.
 */
export function authorDiagnostics(workspace: Workspace, submitter: string | null): readonly Diagnostic[] {
  if (submitter === null) return [];
  const used = new Set(
    [...workspace.topologies.values()].flatMap((topology) =>
      [...agentsOf(topology.root)].flatMap((agent) => agent.funnel ?? []),
    ),
  );
  return [...used].flatMap((id): readonly Diagnostic[] => {
    const funnel = workspace.linkedFunnels.get(id);
    const artifact = workspace.funnels.get(id);
    if (funnel === undefined || artifact === undefined) return [];
    if (authorNotice(workspace, [funnel], { identity: submitter, assurance: 'asserted' }) === null) return [];
    return [
      {
        code: 'funnel.author-unidentified',
        severity: 'info',
        message: `a run submitted as \`${submitter}\` has an author who is not identified, and this gate excludes the author`,
        path: artifact.path,
        pointer: '/approve',
        span: artifact.keySpanOf('/approve'),
        help: 'submit runs with --as <identity>, or name the identity in a role registry',
      },
    ];
  });
}
