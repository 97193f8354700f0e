import type { Diagnostic } from '../../domain/diagnostic.js';
import type { Files } from '../../domain/ports/system.js';
import { linesIn } from '../../lib/line-index.js';
import type { WorkspaceDeps } from '../load-workspace.js';
import { validateWorkspace } from '../validate-workspace.js';
import type { ArtifactIds } from '../workspace-report.js';
import type { EditProblem } from './editing-app.js';

/** What the compiler says of a workspace with a change in it. */
export interface Verdict {
  readonly ids: Pick<ArtifactIds, 'topologies' | 'skills' | 'archetypes'>;
  readonly errors: readonly EditProblem[];
  readonly warnings: readonly EditProblem[];
  /** What helps, by `keyOf` the problem; a problem without an entry has none. */
  readonly helps: ReadonlyMap<string, string>;
}

/** A problem, and what helps; null = nothing is known. */
export interface Fault extends EditProblem {
  readonly help: string | null;
}

/** A diagnostic as an edit reports it; values of secrets are masked in it already. */
export function problemOf(
  { code, message, path, pointer, span }: Diagnostic,
  sources: ReadonlyMap<string, string>,
): EditProblem {
  const line = span === undefined ? null : (linesIn(sources, span.path)?.placeAt(span.start).line ?? null);
  return { code, message, path, pointer, line };
}

/** Compiles the whole workspace as `files` show it: exactly what `kit validate` would say. */
export async function judge(directory: string, deps: WorkspaceDeps, files: Files): Promise<Verdict> {
  const { diagnostics, sources, ids } = await validateWorkspace(directory, { ...deps, files });
  const of = (severity: Diagnostic['severity']) =>
    diagnostics
      .filter((diagnostic) => diagnostic.severity === severity)
      .map((diagnostic) => problemOf(diagnostic, sources));
  const helps = new Map(
    diagnostics.flatMap((diagnostic) =>
      diagnostic.help === undefined ? [] : [[keyOf(problemOf(diagnostic, sources)), diagnostic.help] as const],
    ),
  );
  return { ids, errors: of('error'), warnings: of('warning'), helps };
}

/** The same problem before and after a change has the same key. */
export const keyOf = ({ code, path, pointer, message }: EditProblem): string =>
  JSON.stringify([code, path, pointer, message]);

/**
 * A name that leads nowhere is at times no more than a warning (webhooks): it counts as a use all
 * the same.
 */
export const isLost = ({ code }: EditProblem): boolean => code.includes('unknown');

/** A name that leads nowhere is at times only a warning; what is new has to lead somewhere. */
const faultsOf = ({ errors, warnings }: Verdict): readonly EditProblem[] => [
  ...errors,
  ...warnings.filter((warning) => isLost(warning) || warning.code.startsWith('knowledge.')),
];

/** What is wrong with the workspace as `after` shows it, and is not as it stands. */
export async function newFaults(root: string, deps: WorkspaceDeps, after: Files): Promise<readonly Fault[]> {
  const verdict = await judge(root, deps, after);
  const faults = faultsOf(verdict);
  if (faults.length === 0) return [];
  const known = new Set(faultsOf(await judge(root, deps, deps.files)).map(keyOf));
  return faults
    .filter((fault) => !known.has(keyOf(fault)))
    .map((fault) => ({ ...fault, help: verdict.helps.get(keyOf(fault)) ?? null }));
}
