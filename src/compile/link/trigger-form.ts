import type { Json, JsonObject } from '../../domain/json.js';
import { listAt, objectAt, textAt } from '../read.js';

/**
 * A trigger in its canonical form, whichever of the two forms the file has
 * (docs/design/workspace.md#triggers).
 */
export interface TriggerForm {
  readonly type: string;
  readonly targets: readonly Json[];
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
export function triggerForm(trigger: JsonObject): TriggerForm {
  const config = objectAt(trigger, 'config');
  const topology = textAt(trigger, 'topology');
  const schedule = textAt(trigger, 'schedule');
  const secret = textAt(trigger, 'secret');
  const secretRef = textAt(config, 'secret_ref');
  const inlineAuth = secret === null ? null : { method: 'hmac', credentials_ref: secret };
  const olderAuth = secretRef === null ? null : { method: 'hmac', credentials_ref: secretRef };
  return {
    type: textAt(trigger, 'type') ?? (schedule === null ? 'webhook' : 'cron'),
    targets: topology === null ? listAt(trigger, 'targets') : [topology],
    targetPointer: (index) => (topology === null ? `/targets/${index}` : '/topology'),
    expression: schedule ?? textAt(config, 'expression'),
    expressionPointer: schedule === null ? '/config/expression' : '/schedule',
    timezone: textAt(config, 'timezone'),
    auth: inlineAuth ?? objectAt(config, 'auth') ?? olderAuth,
    authPointer:
      secret !== null
        ? '/secret'
        : objectAt(config, 'auth') === null && secretRef !== null
          ? '/config/secret_ref'
          : '/config/auth/credentials_ref',
    isInline: topology !== null || schedule !== null || secret !== null,
  };
}
