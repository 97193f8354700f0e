import type { WorkspaceReport } from '../app/workspace-report.js';

/** What may make a workspace without errors fail. */
export interface ValidationDemands {
  /** Everything declared is wired, and no key is used that has no effect yet. */
  readonly require: boolean;
  /** Some layer checks the output of every root. */
  readonly requireVerified: boolean;
}

const amount = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** Why a workspace without errors does not meet the demands; [] = it does. */
export function unmetDemands(report: WorkspaceReport, demands: ValidationDemands): readonly string[] {
  if (report.workspace === null) return [];
  const unwired = demands.require ? report.reachability.unreachable.length : 0;
  const notYet = demands.require ? report.notYet.length : 0;
  const unchecked = demands.requireVerified ? report.verification.filter(({ isRoot, verified }) => isRoot && !verified).length : 0;
  return [
    ...(unwired > 0 ? [`${amount(unwired, 'declaration is', 'declarations are')} reached by no code path (--require)`] : []),
    ...(notYet > 0 ? [`${amount(notYet, 'key has', 'keys have')} no effect in this version (--require)`] : []),
    ...(unchecked > 0 ? [`the output of ${amount(unchecked, 'root', 'roots')} is checked by nothing (--require-verified)`] : []),
  ];
}
