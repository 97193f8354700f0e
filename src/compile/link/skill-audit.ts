import type { JsonObject } from '../../domain/json.js';
import type { LinkedSkill, SkillAudit } from '../../domain/workspace.js';
import { textAt, textsAt } from '../read.js';

type Detail = SkillAudit['logInputs'];
export type AuditLevel = 'minimal' | 'standard' | 'detailed';
export type SkillCategory = LinkedSkill['category'];

/** artifacts.md 6.7. */
const CATEGORY_DEFAULTS: Readonly<Record<SkillCategory, { readonly inputs: Detail; readonly outputs: Detail }>> = {
  capability: { inputs: 'summary', outputs: 'summary' },
  decision: { inputs: 'summary', outputs: 'full' },
  coordination: { inputs: 'summary', outputs: 'summary' },
  persistence: { inputs: 'summary', outputs: 'none' },
};

const DETAILS: readonly Detail[] = ['none', 'summary', 'full'];
const UPPER_BOUND: Readonly<Record<AuditLevel, Detail>> = { minimal: 'none', standard: 'summary', detailed: 'full' };

const detail = (text: string | null): Detail | null => DETAILS.find((word) => word === text) ?? null;
const lower = (a: Detail, b: Detail): Detail => (DETAILS.indexOf(a) <= DETAILS.indexOf(b) ? a : b);

/** Category default, then the skill's own keys, then the workspace's level as the upper bound. */
export function skillAudit(category: SkillCategory, own: JsonObject | null, level: AuditLevel): SkillAudit {
  const defaults = CATEGORY_DEFAULTS[category];
  const bound = UPPER_BOUND[level];
  return {
    logInputs: lower(detail(textAt(own, 'log_inputs')) ?? defaults.inputs, bound),
    logOutputs: lower(detail(textAt(own, 'log_outputs')) ?? defaults.outputs, bound),
    redact: textsAt(own, 'redact'),
  };
}
