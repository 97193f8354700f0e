import { isObject, type Json, type JsonObject } from '@kit-run/kit/plugin';
import type { Announced } from '../gate/claude-hook.js';
import type { AcpCall } from './calls.js';

/**
 * The answer to a permission request: an option by its kind, for ids differ from agent to agent.
 */
export function chosen(params: JsonObject, kind: 'allow_once' | 'reject_once'): JsonObject {
  const options: readonly Json[] = Array.isArray(params.options) ? params.options : [];
  const option = options.find((one: Json) => isObject(one) && one.kind === kind);
  const optionId = isObject(option) ? option.optionId : undefined;
  return { outcome: typeof optionId === 'string' ? { outcome: 'selected', optionId } : { outcome: 'cancelled' } };
}

/** True where the request can be answered with a yes that is good for one call. */
export const canAllow = (params: JsonObject): boolean => {
  const { outcome } = chosen(params, 'allow_once');
  return isObject(outcome) && outcome.outcome === 'selected';
};

/** Its kind; of a call that has none, the name of its tool where its program says it. */
const toolOf = ({ kind, tool }: AcpCall): string => (kind === 'other' ? (tool ?? kind) : kind);

/** The call for the gate; null where its program does not say what it would carry out. */
export function announcedOf(call: AcpCall): (Announced & { readonly paths: readonly string[] }) | null {
  if (call.input === null) return null;
  return { callId: call.id, tool: toolOf(call), input: call.input, paths: call.paths, isSubagent: false };
}

/** The same as the request itself says it: what was told of the call before decides nothing. */
export function requestedOf(call: AcpCall, { toolCall }: JsonObject): ReturnType<typeof announcedOf> {
  const input = isObject(toolCall) && isObject(toolCall.rawInput) ? call.input : null;
  return announcedOf({ ...call, input });
}

/** A call of which its program says no more than its id and its kind. */
export const unannouncedOf = (call: AcpCall): Announced & { readonly paths: readonly string[] } => ({
  ...{ callId: call.id, tool: toolOf(call), input: {}, paths: [], isSubagent: false },
});
