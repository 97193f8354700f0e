import { messageOf } from '../../domain/errors.js';
import type { PluginHost } from '../../domain/extension-points.js';
import type { TriggerSpec, TriggerType } from '../../domain/ports/triggers.js';

/** What a trigger's type is, or why there is none. */
export type OpenedTrigger =
  | { readonly ok: true; readonly type: TriggerType }
  | { readonly ok: false; readonly reason: string };

/** Name of the contribution behind a trigger. */
export const contributionOf = ({ type, providerId }: TriggerSpec): string =>
  type === 'plugin' ? (providerId ?? '') : type;

/**
 * Loads the type of a trigger with the trigger's configuration. A failure is a value: it makes this
 * trigger inactive and no other.
 */
export async function openTrigger(plugins: Pick<PluginHost, 'resolve'>, spec: TriggerSpec): Promise<OpenedTrigger> {
  try {
    return { ok: true, type: await plugins.resolve('triggers', contributionOf(spec), spec.config) };
  } catch (error) {
    return { ok: false, reason: messageOf(error) };
  }
}

/** Why an enabled trigger could not start; null = it can. */
export async function inactiveReason(opened: OpenedTrigger, workspaceRoot: string): Promise<string | null> {
  if (!opened.ok) return opened.reason;
  return opened.type.ready({ workspaceRoot }).catch(messageOf);
}
