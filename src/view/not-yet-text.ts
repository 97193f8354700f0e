import type { NotYetUse } from '../domain/not-yet-use.js';

/** Why a key has no effect. */
export const withoutEffect = ({ key, adapter }: Pick<NotYetUse, 'key' | 'adapter'>): string =>
  `${key} has no effect ${adapter === undefined ? 'in this version' : `with the adapter ${adapter}, which reads no such key`}`;

/** A key that has no effect, in one line. */
export function describeNotYet(use: NotYetUse): string {
  return `not yet: ${withoutEffect(use)} (${use.path}${use.pointer === '' ? '' : ` ${use.pointer}`})`;
}
