import type { TriggerSpec } from '../../domain/ports/triggers.js';
import type { Workspace } from '../../domain/workspace.js';

/**
 * What answers at `/hooks/<name>` (docs/design/decisions.md#hooks), before anything is verified.
 */
export type HookMatch =
  /** Enabled triggers with a target of this name, each with the target as it is written. */
  | {
      readonly kind: 'topology';
      readonly matches: readonly { readonly trigger: TriggerSpec; readonly topology: string }[];
    }
  /** An enabled trigger with event targets, by its id. */
  | { readonly kind: 'events'; readonly trigger: TriggerSpec }
  /** Every trigger of the name is disabled: it takes nothing, with or without a key. */
  | { readonly kind: 'disabled'; readonly triggers: readonly string[] }
  /** A topology that no webhook names: a key starts it. */
  | { readonly kind: 'bare'; readonly topology: string }
  | { readonly kind: 'unknown' };

const nameOf = (topology: string): string => topology.replace(/@.*$/, '');

/**
 * `takesHooks`: deliveries may go to this trigger (a webhook, or a plugin's type that verifies
 * them).
 */
export function matchHook(
  { triggerSpecs, topologies }: Pick<Workspace, 'triggerSpecs' | 'topologies'>,
  name: string,
  takesHooks: (trigger: TriggerSpec) => boolean,
): HookMatch {
  const triggers = [...triggerSpecs.values()].filter(takesHooks);
  const matches = triggers.flatMap((trigger) =>
    trigger.targets.flatMap((target) =>
      target.kind === 'topology' && nameOf(target.topology) === name ? [{ trigger, topology: target.topology }] : [],
    ),
  );
  const byId = triggers.find(({ id, targets }) => id === name && targets.some(({ kind }) => kind === 'event'));
  const open = matches.filter(({ trigger }) => trigger.enabled);
  if (open.length > 0) return { kind: 'topology', matches: open };
  if (byId?.enabled === true) return { kind: 'events', trigger: byId };
  const shut = [...matches.map(({ trigger }) => trigger), ...(byId === undefined ? [] : [byId])];
  if (shut.length > 0) return { kind: 'disabled', triggers: shut.map(({ id }) => id) };
  const isTopology = topologies.has(name) || [...topologies.values()].some((topology) => topology.name === name);
  return isTopology ? { kind: 'bare', topology: name } : { kind: 'unknown' };
}
