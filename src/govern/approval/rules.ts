import type { ApprovalRule, GateRound, ReviewItem, ReviewState } from '../../domain/gates.js';

/**
 * How many of a rule's roles must approve: a quorum counts roles, never people
 * (docs/design/decisions.md#quorum).
 */
export function neededRoles(rule: ApprovalRule): number {
  if (rule.quorum === 'all') return rule.roles.length;
  return rule.quorum === 'any' ? 1 : rule.quorum.kOf;
}

/**
 * The rule that an escalation adds: any of these roles, for the scope of the first rule, about the
 * whole artifact.
 */
export const escalationRule = (rules: readonly ApprovalRule[], roles: readonly string[]): ApprovalRule => ({
  scope: rules[0]?.scope ?? '',
  roles,
  quorum: 'any',
  covers: null,
});

/** The rules of a round: those of its policy, and the one that an escalation added. */
export const rulesOf = (gate: GateRound): readonly ApprovalRule[] =>
  gate.escalatedTo.length === 0
    ? gate.policy.rules
    : [...gate.policy.rules, escalationRule(gate.policy.rules, gate.escalatedTo)];

/**
 * `mpa-<gate>-<rule>-<role>`, from the second round on with `-r<round>`; looked up, never parsed.
 */
export const itemIdOf = (gateId: string, ruleIndex: number, role: string, round: number): string =>
  `mpa-${gateId}-${ruleIndex}-${role}${round === 0 ? '' : `-r${round}`}`;

/** What a round's tasks have in common. */
export interface TaskSource {
  readonly gate: GateRound;
  /** Journal key of the gate's step. */
  readonly stepKey: string;
  readonly createdAt: string;
  readonly escalated: boolean;
}

/** One open task for each role of a rule. */
export const tasksOf = (source: TaskSource, rule: ApprovalRule, ruleIndex: number): readonly ReviewItem[] =>
  rule.roles.map((role) => taskOf(source, rule.scope, ruleIndex, role));

function taskOf(
  { gate, stepKey, createdAt, escalated }: TaskSource,
  scope: string,
  ruleIndex: number,
  role: string,
): ReviewItem {
  return {
    id: itemIdOf(gate.gateId, ruleIndex, role, gate.round),
    kind: 'role_task',
    jobId: gate.jobId,
    topologyId: gate.topologyId,
    agentId: gate.agentId,
    skillId: null,
    stepKey,
    gateId: gate.gateId,
    ruleIndex,
    role,
    scope,
    round: gate.round,
    status: 'pending',
    resolvedBy: '',
    comment: '',
    answer: null,
    reason: `gate ${gate.gateId} asks the role ${role} for ${scope}`,
    artifactRef: gate.artifactRef,
    question: null,
    options: [],
    freeTextAllowed: false,
    details: null,
    stale: false,
    withdrawn: false,
    escalated,
    reopened: 0,
    createdAt,
    resolvedAt: null,
  };
}

/** The newest round of a gate; null for an unknown gate. */
export function newestRound(state: ReviewState, gateId: string): GateRound | null {
  let newest: GateRound | null = null;
  for (const gate of state.gates)
    if (gate.gateId === gateId && (newest === null || gate.round > newest.round)) newest = gate;
  return newest;
}

/** True for an item that people can still settle, as far as the item itself tells. */
export const isOpen = (item: ReviewItem): boolean => item.status === 'pending' && !item.stale && !item.withdrawn;

/** The tasks of one round, in the order of their rules and roles. */
export const tasksOfRound = (
  items: readonly ReviewItem[],
  gate: Pick<GateRound, 'gateId' | 'round'>,
): readonly ReviewItem[] =>
  items.filter((item) => item.gateId === gate.gateId && item.round === gate.round && item.kind === 'role_task');
