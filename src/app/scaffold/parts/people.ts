import { KitError } from '../../../domain/errors.js';
import { hintFor } from '../../../lib/nearest.js';
import type { Known, PartDraft, PartOf } from '../part-request.js';
import { BY_A_PERSON, list, scalar, titleOf } from './yaml-text.js';

export function roleDraft({ id, members, scopes }: PartOf<'role'>): PartDraft {
  const conferred = scopes.length === 0 ? [`${id}:approve`] : scopes;
  return {
    files: [
      {
        path: `roles/${id}.yaml`,
        text: `apiVersion: kit/v1
kind: RoleRegistry
metadata:
  id: ${id}
  name: ${scalar(titleOf(id))}
roles:
  - id: ${id}
    # As the server's auth names them, or as \`--as\` does. Read anew for each decision.
    members: ${list(members)}
    # What a member may decide: <resource>:<action>.
    scopes: ${list(conferred)}
`,
      },
    ],
    change: null,
    next: [{ words: 'let a gate ask for it:' }, { command: ['new', 'funnel', 'sign-off', '--role', id] }],
  };
}

/** Throws KIT_USAGE for a role that no registry holds, or that confers nothing. */
function scopeOf(role: string, known: Known): string {
  const scopes = known.roles.get(role);
  if (scopes === undefined)
    throw new KitError('KIT_USAGE', `there is no role \`${role}\``, {
      hint: hintFor(role, known.roles.keys(), {
        fallback: `Make it first: \`kit new role ${role} --member NAME\`.`,
      }),
    });
  const [first] = scopes;
  if (first === undefined)
    throw new KitError('KIT_USAGE', `the role \`${role}\` confers no scope, so its members can decide nothing`, {
      hint: `Give it one below \`scopes\`, such as ${role}:approve.`,
    });
  return first;
}

export function funnelDraft({ id, roles, people, topology }: PartOf<'funnel'>, known: Known): PartDraft {
  const rules = roles
    .map((role) => `    - scope: ${scopeOf(role, known)}\n      roles: [${role}]\n      quorum: all\n`)
    .join('');
  const floor =
    people === null
      ? '  # min_distinct_approvers: 2   quorum counts roles, this counts people\n'
      : `  # Quorum counts roles, this counts people.\n  min_distinct_approvers: ${people}\n`;
  return {
    files: [
      {
        path: `funnels/${id}.yaml`,
        text: `apiVersion: kit/v1
kind: Funnel
metadata:
  id: ${id}
  name: ${scalar(titleOf(id))}
  description: ${scalar(`Waits for the ${roles.length === 1 ? 'role' : 'roles'} ${roles.join(' and ')} to sign.`)}
approve:
  rules:
${rules}${floor}  # Who asked for the run cannot sign it.
  exclude_author: true
${BY_A_PERSON}`,
      },
    ],
    change:
      topology === null
        ? null
        : { do: 'set', in: { file: 'topology', topology }, keys: ['agents', 'root', 'funnel'], value: id },
    next:
      topology === null
        ? [{ words: `let an agent of a topology pass it: funnel: ${id}` }]
        : [
            { words: 'run it as somebody; it waits until the others have signed:' },
            { command: ['run', topology, '--as', 'NAME', '--input', 'What shall be done'] },
          ],
  };
}
