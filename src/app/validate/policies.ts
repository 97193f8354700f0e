import { roleDirectory } from '../../compile/link/role-directory.js';
import type { Artifact } from '../../domain/artifact.js';
import type { Diagnostic } from '../../domain/diagnostic.js';
import type { ApprovalPolicy, RoleDirectory } from '../../domain/gates.js';
import type { Workspace } from '../../domain/workspace.js';
import type { Obstacle } from '../../govern/approval/proof-model.js';
import { type PolicyProof, provePolicy } from '../../govern/approval/prove-policy.js';
import { assertNever } from '../../lib/assert-never.js';
import { pointerTo } from '../../lib/pointer-to.js';

/** One sentence about a policy, and where. */
interface Remark {
  readonly code: string;
  readonly severity: Diagnostic['severity'];
  readonly pointer: string;
  readonly message: string;
  readonly help: string;
}

/**
 * What can be proven of each approval policy before anybody runs it: who can never have a run
 * approved, how people can sign themselves into a corner, who is indispensable, which rule can
 * never matter. A policy that names a role nobody defines is left out: its gate is advisory, and
 * that is reported elsewhere. Nothing of it keeps a run from starting: members may still join.
 */
export function policyDiagnostics(workspace: Workspace): readonly Diagnostic[] {
  const roles = roleDirectory(workspace.roles);
  return [...workspace.linkedFunnels.values()].flatMap(({ id, approve }): readonly Diagnostic[] => {
    const artifact = workspace.funnels.get(id);
    if (artifact === undefined || !isDefined(approve, roles)) return [];
    return remarksOn(approve, provePolicy(approve, roles)).map((remark) => diagnosticOf(artifact, remark));
  });
}

const isDefined = (policy: ApprovalPolicy, roles: RoleDirectory): boolean => {
  const named = [...policy.rules.flatMap((rule) => rule.roles), ...(policy.expiry?.escalateTo ?? [])];
  return named.every((id) => roles.roles.some((role) => role.id === id));
};

/** The key of a block is underlined, not the block: it can be long. */
const diagnosticOf = (artifact: Artifact<unknown>, remark: Remark): Diagnostic => ({
  ...remark,
  path: artifact.path,
  span: remark.code === 'funnel.idle-rule' ? artifact.spanOf(remark.pointer) : artifact.keySpanOf(remark.pointer),
});

const APPROVE = '/approve';

function remarksOn(policy: ApprovalPolicy, proof: PolicyProof): readonly Remark[] {
  const [anybody] = proof.submitters;
  if (anybody !== undefined && anybody.obstacle !== null) {
    return [
      {
        code: 'funnel.unsatisfiable',
        severity: 'error',
        pointer: APPROVE,
        message: `nobody can satisfy this policy: ${obstacleText(anybody.obstacle)}`,
        help: obstacleHelp(anybody.obstacle, 'its roles'),
      },
    ];
  }
  return [
    ...submitterRemarks(proof),
    ...deadlockRemarks(proof),
    ...singlePointRemarks(proof),
    ...ruleRemarks(policy, proof),
  ];
}

function submitterRemarks({ submitters, escalationObstacle }: PolicyProof): readonly Remark[] {
  const stuck = submitters.flatMap(({ person, obstacle }) => (person === null || obstacle === null ? [] : [person]));
  const remark = { code: 'funnel.unsatisfiable', severity: 'warning' } as const;
  return [
    ...(stuck.length === 0
      ? []
      : [
          {
            ...remark,
            pointer: APPROVE,
            message: `a run submitted by ${listed(stuck, 'or')} can never be approved`,
            help: 'the submitter does not count: add a member to the roles',
          },
        ]),
    ...(escalationObstacle === null
      ? []
      : [
          {
            ...remark,
            pointer: pointerTo('', 'approve', 'escalate_to'),
            message: `once it is escalated, nobody can satisfy this policy: ${obstacleText(escalationObstacle)}`,
            help: obstacleHelp(escalationObstacle, 'the roles that it escalates to'),
          },
        ]),
  ];
}

/** The first deadlock of each policy: one way into a corner is enough to know that there is one. */
function deadlockRemarks({ submitters, isComplete }: PolicyProof): readonly Remark[] {
  const pointer = pointerTo('', 'approve', 'min_distinct_approvers');
  const found = submitters.find(({ deadlock }) => deadlock !== null);
  if (found !== undefined && found.deadlock !== null) {
    const { people, ruleIndex, role } = found.deadlock;
    const whose = found.person === null ? '' : ` a run of \`${found.person}\``;
    return [
      {
        code: 'funnel.deadlock',
        severity: 'warning',
        pointer,
        message: `when ${listed(people, 'and')} sign${people.length === 1 ? 's' : ''}${whose} alone, the task of \`${role}\` in rule ${ruleIndex + 1} stays open and nobody may complete it`,
        help: 'add a member to that role, or let people who hold one role alone sign first',
      },
    ];
  }
  if (isComplete) return [];
  return [
    {
      code: 'funnel.not-proven',
      severity: 'info',
      pointer,
      message: 'too many people hold these roles to look at every way in which they can sign',
      help: 'that it can be satisfied is proven; deadlocks and idle rules are not ruled out',
    },
  ];
}

function singlePointRemarks({ singlePoints }: PolicyProof): readonly Remark[] {
  if (singlePoints.length === 0) return [];
  return [
    {
      code: 'funnel.single-point',
      severity: 'warning',
      pointer: APPROVE,
      message: `without ${listed(singlePoints, 'or')} no run can be approved`,
      help: 'add a second member to the roles that they alone hold',
    },
  ];
}

const ruleRemarks = (policy: ApprovalPolicy, { idleRules }: PolicyProof): readonly Remark[] =>
  idleRules.map((index) => ({
    code: 'funnel.idle-rule',
    severity: 'warning',
    pointer: pointerTo('', 'approve', 'rules', index),
    message: `this rule has no effect: everybody who satisfies the other ${policy.rules.length === 2 ? 'rule' : 'rules'} satisfies it too`,
    help: 'remove it, or name other roles, another scope, or the parts that it covers',
  }));

function obstacleText(obstacle: Obstacle): string {
  switch (obstacle.kind) {
    case 'quorum': {
      const empty =
        obstacle.emptyRoles.length === 0
          ? ''
          : ` (${listed(obstacle.emptyRoles, 'and')} ${obstacle.emptyRoles.length === 1 ? 'has' : 'have'} none)`;
      return `rule ${obstacle.ruleIndex + 1} needs ${obstacle.needed} of its roles and ${obstacle.able} ${obstacle.able === 1 ? 'has' : 'have'} a member who may sign${empty}`;
    }
    case 'floor':
      return `it asks for ${obstacle.needed} people, and at most ${obstacle.able} can each complete a task of their own`;
    default:
      return assertNever(obstacle);
  }
}

/** More members are not help where there are fewer tasks than people to sign. */
const obstacleHelp = (obstacle: Obstacle, roles: string): string =>
  obstacle.kind === 'floor' && obstacle.able === obstacle.tasks
    ? 'a role of a rule signs once, whatever its members: name another role (the same people may stand in several), or ask for fewer people'
    : `add members to ${roles}, or ask for fewer approvals`;

const SHOWN = 8;

/** Names in backquotes, sorted, the first few. */
function listed(names: readonly string[], word: 'and' | 'or'): string {
  const quoted = names.toSorted().map((name) => `\`${name}\``);
  if (quoted.length > SHOWN) return `${quoted.slice(0, SHOWN).join(', ')} ${word} ${quoted.length - SHOWN} more`;
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} ${word} ${quoted.at(-1)}`;
}
