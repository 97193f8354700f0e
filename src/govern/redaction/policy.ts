import type { AuditLevel, SkillAudit } from '../../domain/linked-skill.js';
import type { JsonPath, JsonPaths } from '../../lib/jsonpath.js';

export type AuditDetail = SkillAudit['logInputs'];

/**
 * For a call that belongs to no skill (a delegation, an unknown tool): as for category
 * `capability`.
 */
export const DEFAULT_AUDIT: SkillAudit = { logInputs: 'summary', logOutputs: 'summary', redact: [] };

const DETAILS: readonly AuditDetail[] = ['none', 'summary', 'full'];
const BOUND: Readonly<Record<AuditLevel, AuditDetail>> = { minimal: 'none', standard: 'summary', detailed: 'full' };

/** Two words for the same fact: the one that shows less. An unknown word shows nothing. */
const lower = (a: AuditDetail, b: AuditDetail): AuditDetail =>
  DETAILS[Math.max(0, Math.min(DETAILS.indexOf(a), DETAILS.indexOf(b)))] ?? 'none';

/**
 * `audit.level` of the live workspace as upper bound of a policy that the snapshot froze
 * (docs/design/execution.md#redaction).
 */
export function clampAudit(policy: SkillAudit, level: AuditLevel): SkillAudit {
  const bound = BOUND[level] ?? 'none';
  return { ...policy, logInputs: lower(policy.logInputs, bound), logOutputs: lower(policy.logOutputs, bound) };
}

/**
 * Snapshot and live policy of one skill: the stricter of each, and both lists of paths
 * (docs/design/journal.md#live).
 */
export function stricterAudit(a: SkillAudit, b: SkillAudit): SkillAudit {
  return {
    logInputs: lower(a.logInputs, b.logInputs),
    logOutputs: lower(a.logOutputs, b.logOutputs),
    redact: [...new Set([...a.redact, ...b.redact])],
  };
}

/** A policy whose paths are compiled. */
export interface RedactionRules {
  readonly policy: SkillAudit;
  readonly paths: readonly JsonPath[];
  /** Paths that are not a JSONPath; where there is one, nothing of a call is logged. */
  readonly broken: readonly string[];
}

/**
 * `kit validate` reports a broken path; a run that meets one all the same logs neither inputs nor
 * outputs.
 */
export function compileRules(policy: SkillAudit, jsonPaths: JsonPaths): RedactionRules {
  const paths: JsonPath[] = [];
  const broken: string[] = [];
  for (const source of policy.redact) {
    const result = jsonPaths.compile(source);
    if (result.ok) paths.push(result.path);
    else broken.push(source);
  }
  return broken.length === 0
    ? { policy, paths, broken }
    : { policy: { ...policy, logInputs: 'none', logOutputs: 'none' }, paths, broken };
}
