// What happens to a gate that nobody decides in time (docs/gates.md#expiry): a reminder, a
// rejection, or one more rule and the time once more.
import type { ApprovalPolicy, ApprovalRule } from '../../../src/domain/gates.js';
import { type Gate, lastRound, type Round, tasksOf, type World, withRound } from './world.js';

export const clockFrom = ({ expiry }: ApprovalPolicy, nowMs: number): Pick<Round, 'expiresAt' | 'remindAt'> => {
  if (expiry === null) return { expiresAt: null, remindAt: null };
  const expiresAt = nowMs + expiry.afterMs;
  return { expiresAt, remindAt: expiry.remindBeforeMs === null ? null : expiresAt - expiry.remindBeforeMs };
};

/** "An approval after the instant is 409"; the instant itself is late already: the time is over. */
export const isLate = ({ status, withdrawn, expiresAt }: Round, nowMs: number): boolean =>
  status === 'pending' && !withdrawn && expiresAt !== null && nowMs >= expiresAt;

export interface Swept {
  readonly world: World;
  /** Places of gates. */
  readonly reminded: readonly number[];
  readonly escalated: readonly number[];
  readonly rejected: readonly number[];
}

function escalate(policy: ApprovalPolicy, round: Round, nowMs: number): Round {
  const scope = policy.rules[0]?.scope ?? '';
  const added: ApprovalRule = { scope, roles: policy.expiry?.escalateTo ?? [], quorum: 'any', covers: null };
  const rules = [...round.rules, added];
  return {
    ...round,
    rules,
    tasks: [...round.tasks, ...tasksOf({ rules }).slice(round.tasks.length)],
    ...clockFrom(policy, nowMs),
  };
}

const withdrawn = (gate: Gate): Gate => {
  const round = lastRound(gate);
  return round.status === 'pending' ? withRound(gate, { ...round, withdrawn: true }) : gate;
};

/**
 * Everything that is due, gate by gate. The clock starts once more when the escalation is carried
 * out.
 */
export function sweep(world: World): Swept {
  let gates = [...world.gates];
  const [reminded, escalated, rejected]: [number[], number[], number[]] = [[], [], []];
  for (let at = 0; at < gates.length; at++) {
    const gate = gates[at] as Gate; // `at` is below the length
    const round = lastRound(gate);
    if (round.status !== 'pending' || round.withdrawn) continue;
    if (
      isLate(round, world.nowMs) &&
      gate.policy.expiry?.action === 'escalate' &&
      round.rules.length === gate.policy.rules.length
    ) {
      escalated.push(at);
      gates[at] = withRound(gate, escalate(gate.policy, round, world.nowMs));
    } else if (isLate(round, world.nowMs)) {
      rejected.push(at);
      const over = withRound(gate, { ...round, status: 'rejected', timedOut: true });
      gates = gates.map((other, index) => (index === at ? over : withdrawn(other)));
    } else if (round.remindAt !== null && world.nowMs >= round.remindAt) {
      reminded.push(at);
      gates[at] = withRound(gate, { ...round, remindAt: null });
    }
  }
  return { world: { ...world, gates }, reminded, escalated, rejected };
}
