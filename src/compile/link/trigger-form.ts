import type { Trigger, TriggerTarget } from '../../domain/generated/artifacts.js';
import type { JsonObject } from '../../domain/json.js';
import { textAt } from '../read.js';

/**
 * A trigger in its canonical form, whichever of the two forms the file has
 * (docs/design/workspace.md#triggers).
 */
export interface TriggerForm {
  readonly type: NonNullable<Trigger['type']>;
  readonly targets: readonly TriggerTarget[];
  /** Pointer of a target in the file. */
  readonly targetPointer: (index: number) => string;
  readonly expression: string | null;
  readonly expressionPointer: string;
  readonly timezone: string | null;
  readonly auth: JsonObject | null;
  readonly authPointer: string;
  /** The older form, with `topology`, `schedule` or `secret` directly on the trigger. */
  readonly isInline: boolean;
}

/**
 * Translates the inline form: `topology` is the target, `schedule` a cron expression, `secret` (or
 * `config.secret_ref`) an HMAC credential.
 */
export function triggerForm({ topology, schedule, secret, config, ...trigger }: Trigger): TriggerForm {
  const secretRef = textAt(config ?? null, 'secret_ref');
  const inlineAuth = secret === undefined ? null : { method: 'hmac', credentials_ref: secret };
  const olderAuth = secretRef === null ? null : { method: 'hmac', credentials_ref: secretRef };
  const isOlder = config?.auth === undefined && secretRef !== null;
  return {
    type: trigger.type ?? (schedule === undefined ? 'webhook' : 'cron'),
    targets: topology === undefined ? (trigger.targets ?? []) : [topology],
    targetPointer: (index) => (topology === undefined ? `/targets/${index}` : '/topology'),
    expression: schedule ?? textAt(config ?? null, 'expression'),
    expressionPointer: schedule === undefined ? '/config/expression' : '/schedule',
    timezone: textAt(config ?? null, 'timezone'),
    auth: inlineAuth ?? config?.auth ?? olderAuth,
    authPointer: secret !== undefined ? '/secret' : isOlder ? '/config/secret_ref' : '/config/auth/credentials_ref',
    isInline: topology !== undefined || schedule !== undefined || secret !== undefined,
  };
}
