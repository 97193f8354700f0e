import type { HumanRole } from '../../domain/generated/artifacts.js';
import { nearest } from '../../lib/nearest.js';
import type { Linked } from '../link/link-workspace.js';
import type { Checked } from '../link/registries.js';
import { didYouMean, orMake, type Report } from '../report.js';

/** One funnel under judgement. */
export interface FunnelScope {
  readonly linked: Linked;
  readonly artifact: Checked<'Funnel'>;
  readonly report: Report;
}

/** Roles of all registries by id. */
export const rolesOf = (linked: Linked): ReadonlyMap<string, HumanRole> =>
  new Map(linked.registries.roles.flatMap(({ value }) => value.roles.map((role) => [role.id, role] as const)));

interface NamedRole {
  readonly id: string;
  /** Where the role is named, and where the scope that it must confer. */
  readonly pointer: string;
  readonly scope: string;
  readonly scopePointer: string;
}

/** A role that a policy names must be there, and confer the scope that is signed under. */
export function checkNamedRole(
  { artifact, report }: FunnelScope,
  named: NamedRole,
  roles: ReadonlyMap<string, HumanRole>,
): void {
  const { id, pointer, scope, scopePointer } = named;
  const role = roles.get(id);
  if (role === undefined) {
    report.add(
      { artifact, pointer },
      {
        code: 'funnel.unknown-role',
        // A mistyped name would switch the gate off.
        severity: nearest(id, roles.keys()) === null ? 'warning' : 'error',
        message: `no role registry defines \`${id}\``,
        help: roleHelp(id, didYouMean(id, roles.keys())),
      },
    );
  } else if (!role.scopes.includes(scope)) {
    report.add(
      { artifact, pointer: scopePointer },
      {
        code: 'funnel.scope-not-conferred',
        message: `the role \`${id}\` does not have the scope \`${scope}\``,
        help: `add \`${scope}\` to the role's scopes, or name a role that has it`,
      },
    );
  }
}

/** Without the role nobody is asked, which is worth saying where no other role can be meant. */
const roleHelp = (id: string, known: string | undefined): string | undefined =>
  known?.startsWith('did you mean') === true
    ? known
    : `${orMake(known, 'role', id, ' --member NAME') ?? 'define it below roles/'}; without it the run goes on unreviewed`;
