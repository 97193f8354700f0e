import type { SkillAuditPolicy } from '../../domain/generated/artifacts.js';
import type { LinkedSkill, SkillAudit } from '../../domain/linked-skill.js';

type Detail = SkillAudit['logInputs'];
export type SkillCategory = LinkedSkill['category'];

/** What the log keeps of a call unless the skill says (docs/design/execution.md#redaction). */
const CATEGORY_DEFAULTS: Readonly<Record<SkillCategory, { readonly inputs: Detail; readonly outputs: Detail }>> = {
  capability: { inputs: 'summary', outputs: 'summary' },
  decision: { inputs: 'summary', outputs: 'full' },
  coordination: { inputs: 'summary', outputs: 'summary' },
  persistence: { inputs: 'summary', outputs: 'none' },
};

/**
 * Category default, then the skill's own keys. The level that bounds it is that of the run: of its
 * topology, else of the workspace.
 */
export function skillAudit(category: SkillCategory, own: SkillAuditPolicy = {}): SkillAudit {
  const { inputs, outputs } = CATEGORY_DEFAULTS[category];
  return { logInputs: own.log_inputs ?? inputs, logOutputs: own.log_outputs ?? outputs, redact: own.redact ?? [] };
}
