import type { JsonObject } from '../../domain/json.js';
import type { LinkedSkill, SkillAudit } from '../../domain/linked-skill.js';
import { textAt, textsAt } from '../read.js';

type Detail = SkillAudit['logInputs'];
export type SkillCategory = LinkedSkill['category'];

/** What the log keeps of a call unless the skill says (docs/design/execution.md#redaction). */
const CATEGORY_DEFAULTS: Readonly<Record<SkillCategory, { readonly inputs: Detail; readonly outputs: Detail }>> = {
  capability: { inputs: 'summary', outputs: 'summary' },
  decision: { inputs: 'summary', outputs: 'full' },
  coordination: { inputs: 'summary', outputs: 'summary' },
  persistence: { inputs: 'summary', outputs: 'none' },
};

const DETAILS: readonly Detail[] = ['none', 'summary', 'full'];

const detail = (text: string | null): Detail | null => DETAILS.find((word) => word === text) ?? null;

/**
 * Category default, then the skill's own keys. The level that bounds it is that of the run: of its
 * topology, else of the workspace.
 */
export function skillAudit(category: SkillCategory, own: JsonObject | null): SkillAudit {
  const defaults = CATEGORY_DEFAULTS[category];
  return {
    logInputs: detail(textAt(own, 'log_inputs')) ?? defaults.inputs,
    logOutputs: detail(textAt(own, 'log_outputs')) ?? defaults.outputs,
    redact: textsAt(own, 'redact'),
  };
}
