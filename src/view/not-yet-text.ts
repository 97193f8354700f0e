import type { NotYetUse } from '../domain/not-yet-use.js';

/** A key that has no effect in this version, in one line. */
export function describeNotYet(use: NotYetUse): string {
  return `not yet: ${use.key} has no effect in this version (${use.path}${use.pointer === '' ? '' : ` ${use.pointer}`})`;
}
