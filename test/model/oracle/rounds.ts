// The next round of a gate: its tasks, and the decisions that it keeps (`reconfirm_changed`;
// docs/design/journal.md#gate-rounds).
import type { ApprovalPolicy } from '../../../src/domain/gates.js';
import { clockFrom } from './clock.js';
import { type Draft, type Gate, lastRound, type Round, type Signature, tasksOf, type World } from './world.js';

const sameBytes = (a: Readonly<Record<string, string>> = {}, b: Readonly<Record<string, string>> = {}): boolean => {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => a[name] === b[name]);
};

/**
 * "Keeps a decision into the next round when the bytes its rule looked at are equal"; without
 * `covers` it looked at all of them.
 */
function looksTheSame(policy: ApprovalPolicy, rule: number, before: Draft, now: Draft): boolean {
  const covers = policy.rules[rule]?.covers ?? null;
  return covers === null
    ? before.sha256 === now.sha256 && before.diff === now.diff
    : sameBytes(before.parts[rule], now.parts[rule]);
}

/**
 * Only approvals are worth something later: a request for changes has been met with another draft.
 */
function kept(policy: ApprovalPolicy, before: Round, number: number, draft: Draft): readonly Signature[] {
  if (policy.onRevision === 'reset_all') return [];
  return before.signatures
    .filter(({ stale, outcome, task }) => {
      const rule = before.tasks[task]?.rule ?? -1;
      return (
        !stale && outcome === 'approve' && rule < policy.rules.length && looksTheSame(policy, rule, before.draft, draft)
      );
    })
    .map((signature) => ({ ...signature, carriedFrom: signature.carriedFrom ?? number }));
}

const freshRound = (
  policy: ApprovalPolicy,
  rules: Round['rules'],
  activation: string,
  draft: Draft,
  nowMs: number,
): Round => ({
  activation,
  rules,
  draft,
  tasks: tasksOf({ rules }),
  signatures: [],
  status: 'pending',
  withdrawn: false,
  ...clockFrom(policy, nowMs),
  timedOut: false,
});

export function firstRound(policy: ApprovalPolicy, activation: string, draft: Draft, nowMs: number): Gate {
  return { policy, rounds: [freshRound(policy, policy.rules, activation, draft, nowMs)] };
}

/**
 * "After 20 rounds: `failed`, `rework_exhausted`." The numbers count per gate; that the bound
 * counts per activation is a reading: an agent that is called twenty-one times has not been sent
 * back once.
 */
const MOST_ROUNDS = 20;

/**
 * Another draft of the same activation after changes were requested, or the first one of another
 * activation, which keeps nothing. Null: there were too many.
 */
export function nextRound(world: World, at: number, activation: string, draft: Draft): World | null {
  const gate = world.gates[at] as Gate; // called for gates of this world
  if (gate.rounds.filter((round) => round.activation === activation).length >= MOST_ROUNDS) return null;
  const before = lastRound(gate);
  const reworked = before.activation === activation;
  const signatures = reworked ? kept(gate.policy, before, gate.rounds.length - 1, draft) : [];
  // An escalation adds a rule to the gate, not to one draft: who asked for changes sees what came
  // of it.
  const fresh = freshRound(gate.policy, reworked ? before.rules : gate.policy.rules, activation, draft, world.nowMs);
  const tasks = fresh.tasks.map((task, index) => ({
    ...task,
    by: signatures.findIndex((signature) => signature.task === index),
  }));
  const round: Round = { ...fresh, tasks, signatures };
  return {
    ...world,
    gates: world.gates.map((old, index) => (index === at ? { ...gate, rounds: [...gate.rounds, round] } : old)),
  };
}
