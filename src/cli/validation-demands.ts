import type { UnmetDemand, WorkspaceReport } from '../app/workspace-report.js';
import type { Diagnostic } from '../domain/diagnostic.js';

/** What may make a workspace without errors fail. */
export interface ValidationDemands {
  /** Everything declared is wired, and no key is used that has no effect yet. */
  readonly require: boolean;
  /** Some layer checks the output of every root. */
  readonly requireVerified: boolean;
}

const amount = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** Why a workspace without errors does not meet the demands; [] = it does. */
export function unmetDemands(report: WorkspaceReport, demands: ValidationDemands): readonly UnmetDemand[] {
  if (report.workspace === null) return [];
  const unwired = demands.require ? report.reachability.unreachable : [];
  const notYet = demands.require ? report.notYet : [];
  const unchecked = demands.requireVerified
    ? report.verification.filter(({ isRoot, verified }) => isRoot && !verified)
    : [];
  const all: readonly UnmetDemand[] = [
    {
      flag: 'require',
      message: `${amount(unwired.length, 'declaration is', 'declarations are')} reached by no code path (--require)`,
      subjects: unwired.map(({ kind, key, declaredOn }) => `${kind} ${key} (${declaredOn})`),
    },
    {
      flag: 'require',
      message: `${amount(notYet.length, 'key has', 'keys have')} no effect in this version (--require)`,
      subjects: notYet.map(({ key, path }) => `${key} (${path})`),
    },
    {
      flag: 'require-verified',
      message: `the output of ${amount(unchecked.length, 'root', 'roots')} is checked by nothing (--require-verified)`,
      subjects: unchecked.map(({ topology, agent }) => `${topology} ${agent}`),
    },
  ];
  return all.filter(({ subjects }) => subjects.length > 0);
}

/**
 * The report as `kit validate` judges it: what a run on this machine would be refused for is an
 * error, although another machine may have it and the workspace itself loads.
 */
export const judged = (report: WorkspaceReport): WorkspaceReport => ({
  ...report,
  // What stops runs is read first.
  diagnostics: report.diagnostics
    .map((one) => (stopsRuns(one) ? { ...one, severity: 'error' as const } : one))
    .sort((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error')),
});

/** A skill whose server is unknown stops those runs alone whose agents have it. */
const stopsRuns = ({ code, label }: Diagnostic): boolean =>
  code === 'agent.unknown-provider' || (code === 'skill.unknown-server' && label !== undefined);
