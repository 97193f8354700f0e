import type { KitError } from '../../../domain/errors.js';
import type { DoctorCheck } from '../../../view/doctor-report.js';
import { ok, warn } from './check.js';

/** What a server would make of `server.auth` on this machine. */
export type ServerAuthFacts =
  | { readonly kind: 'planned'; readonly name: string; readonly warnings: readonly string[] }
  | { readonly kind: 'refused'; readonly error: KitError };

const ID = 'server-auth';

/**
 * Whether a server could start and knows its callers. A warning at most: runs of this machine go
 * without a server, and its keys may lie where it is started.
 */
export function checkServerAuth(facts: ServerAuthFacts): DoctorCheck {
  switch (facts.kind) {
    case 'refused':
      return warn(ID, `kit serve would not start here: ${inOneLine(facts.error.message)}`, facts.error.hint ?? null);
    case 'planned':
      if (facts.warnings.length > 0) return warn(ID, facts.warnings.join('; '), null);
      return ok(ID, facts.name === 'none' ? 'none: kit serve answers this machine alone' : `${facts.name} can be used`);
  }
}

/** `what:` and a numbered line for each problem, as the refusal has them. */
const inOneLine = (message: string): string => {
  const [what = '', ...problems] = message.split('\n').map((line) => line.trim());
  return [what, problems.join('; ')].filter((part) => part !== '').join(': ');
};
