import type { OpenTools } from '../gateway/open-tools.js';
import { callStatus } from '../interpret/fields.js';
import type { AcpCall } from './calls.js';

/**
 * The tool of kit that a call is one of, by what its program called it first; null: another. Kit
 * decides about it when it comes, so a program that asks nobody may make it.
 */
export const skillOf = (tools: OpenTools | null, { kind, name }: AcpCall): string | null =>
  kind === 'other' ? (tools?.skillOf(name) ?? null) : null;

/** With the name of the tool in the place of a kind that says nothing. */
export const named = (tools: OpenTools | null, call: AcpCall): AcpCall =>
  skillOf(tools, call) === null ? call : { ...call, kind: call.name };

/**
 * Whether a call that has ended is one of kit's own tools: it came to kit, which decided about it.
 * One that says so and did not come is none, unless nothing was done.
 */
export function isOwnCall(tools: OpenTools | null, call: AcpCall): boolean {
  const skill = skillOf(tools, call);
  if (tools === null || skill === null) return false;
  return tools.hasCome(skill) || callStatus(call.status) === 'error';
}
