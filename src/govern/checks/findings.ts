import type { Severity } from '../../domain/linked-funnel.js';
import { type ReviewFinding, SEVERITIES } from '../../domain/review-findings.js';

/**
 * Findings of a review by what they mean for the draft: those that send it back, and those that the
 * people are told.
 */
export interface SortedFindings {
  readonly grave: readonly ReviewFinding[];
  readonly light: readonly ReviewFinding[];
}

const weight = (severity: Severity): number => SEVERITIES.indexOf(severity);

/** `routeBackAt` and graver sends a draft back (docs/design/execution.md#reviewer). */
export function sortFindings(findings: readonly ReviewFinding[], routeBackAt: Severity): SortedFindings {
  const isGrave = (finding: ReviewFinding): boolean => weight(finding.severity) >= weight(routeBackAt);
  return { grave: findings.filter(isGrave), light: findings.filter((finding) => !isGrave(finding)) };
}

/** What the author is told of the findings that send a draft back. */
export const findingsText = (findings: readonly ReviewFinding[]): string =>
  findings
    .map(({ id, severity, location, claim, recommendation }) =>
      `${severity} ${id} at ${location}: ${claim} ${recommendation}`.trim(),
    )
    .join('\n');
