// What must be equal after every step, and the laws that hold for the engine alone.
import type { ReviewItem, ReviewState } from '../../../src/domain/gates.js';
import type { ReviewChange } from '../../../src/domain/ports/reviews.js';
import { type Gate, lastRound, type Round, type World } from '../oracle/world.js';
import { gateIdOf, instantOf } from './names.js';

type Problem = string | null;

const STATUS_OF = { approve: 'approved', reject: 'rejected', changes_requested: 'changes-requested' } as const;

/** Role tasks of one round, in the order of rules and roles. */
export const itemsOf = ({ items }: ReviewState, gate: number, round: number): readonly ReviewItem[] =>
  items.filter((item) => item.kind === 'role_task' && item.gateId === gateIdOf(gate) && item.round === round);

function itemProblem(item: ReviewItem, round: Round, task: number): Problem {
  // the lengths were compared
  const { rule, role, by, reopened } = round.tasks[task] as Round['tasks'][number];
  const signature = round.signatures[by];
  const status = signature === undefined ? 'pending' : STATUS_OF[signature.outcome];
  if (item.ruleIndex !== rule || item.role !== role)
    return `item ${item.id} is of rule ${item.ruleIndex} and role ${item.role}, not of ${rule}, ${role}`;
  if (item.status !== status) return `item ${item.id} is ${item.status}, not ${status}`;
  if (item.resolvedBy !== (signature?.identity ?? ''))
    return `item ${item.id} is resolved by '${item.resolvedBy}', not by '${signature?.identity ?? ''}'`;
  return item.reopened === reopened ? null : `item ${item.id} was reopened ${item.reopened} times, not ${reopened}`;
}

function signaturesProblem(state: ReviewState, gateIndex: number, number: number, round: Round): Problem {
  const gateId = gateIdOf(gateIndex);
  const recorded = state.decisions.filter((decision) => decision.gateId === gateId && decision.round === number);
  if (recorded.length !== round.signatures.length)
    return `round ${number} of ${gateId} has ${recorded.length} decisions, not ${round.signatures.length}`;
  for (const [at, decision] of recorded.entries()) {
    const signature = round.signatures[at] as Round['signatures'][number];
    const task = round.tasks[signature.task];
    const is = [
      decision.ruleIndex,
      decision.role,
      decision.person,
      decision.identity,
      decision.outcome,
      decision.stale,
      decision.carriedFrom,
    ];
    const ought = [
      task?.rule,
      task?.role,
      signature.person,
      signature.identity,
      signature.outcome,
      signature.stale,
      signature.carriedFrom,
    ];
    if (is.some((value, index) => value !== ought[index]))
      return `decision ${at} of round ${number} of ${gateId} is ${is.join()}, not ${ought.join()}`;
  }
  return null;
}

/**
 * The newest round of a gate: its status, items and decisions. Earlier rounds were compared when
 * they were the newest.
 */
function gateProblem(state: ReviewState, index: number, gate: Gate): Problem {
  const round = lastRound(gate);
  const number = gate.rounds.length - 1;
  const gateId = gateIdOf(index);
  const row = state.gates.find((candidate) => candidate.gateId === gateId && candidate.round === number);
  if (row === undefined) return `round ${number} of ${gateId} is missing`;
  if (row.status !== round.status) return `${gateId} is ${row.status}, not ${round.status}`;
  if (row.withdrawn !== round.withdrawn) return `${gateId} is ${row.withdrawn ? '' : 'not '}withdrawn`;
  if ((row.decidedAt !== null) !== (round.status !== 'pending'))
    return `${gateId} is ${row.status} and decided at ${row.decidedAt}`;
  const times = [row.expiresAt, row.remindAt].join();
  const ought = [round.expiresAt, round.remindAt].map((ms) => (ms === null ? null : instantOf(ms))).join();
  if (times !== ought) return `${gateId} expires and reminds at ${times}, not at ${ought}`;
  const items = itemsOf(state, index, number);
  if (items.length !== round.tasks.length)
    return `round ${number} of ${gateId} has ${items.length} tasks, not ${round.tasks.length}`;
  for (const [task, item] of items.entries()) {
    const problem = itemProblem(item, round, task);
    if (problem !== null) return problem;
  }
  return signaturesProblem(state, index, number, round);
}

export function stateProblem(state: ReviewState, world: World): Problem {
  for (const [index, gate] of world.gates.entries()) {
    const problem = gateProblem(state, index, gate);
    if (problem !== null) return problem;
  }
  return null;
}

/**
 * A refused attempt, and one that repeats a decision, leave a trace in the log and change nothing.
 */
export function untouchedProblem(
  { gates, items, decisions, events, wake }: ReviewChange<unknown>,
  traces: readonly number[],
  code: string | null,
): Problem {
  if (gates.length + items.length + decisions.length > 0) return 'an attempt that changes nothing wrote rows';
  if (wake !== null) return 'an attempt that changes nothing wakes the run';
  const tries = events.filter(({ type }) => type === 'approval.role_task_resolved').length;
  const reported = events.some(
    (event) =>
      event.type === 'approval.role_task_resolved' &&
      (event.payload.allowed !== (code === null) || event.payload.code !== code),
  );
  if (reported) return `the event of an attempt that ends with ${code} says otherwise`;
  if (events.length !== tries)
    return `an attempt that changes nothing records ${events.map(({ type }) => type).join()}`;
  return traces.includes(tries) ? null : `an attempt left ${tries} events approval.role_task_resolved`;
}

/**
 * What was decided before stays as it was: no row of an earlier round changes, and no settled item
 * is settled again.
 */
export function historyProblem(before: ReviewState, change: ReviewChange<unknown>): Problem {
  for (const gate of change.gates) {
    const old = before.gates.find(({ gateId, round }) => gateId === gate.gateId && round === gate.round);
    if (old !== undefined && old.status !== 'pending')
      return `${gate.gateId} was ${old.status} and changes to ${gate.status}`;
  }
  for (const item of change.items) {
    const old = before.items.find(({ id }) => id === item.id);
    if (old !== undefined && old.status !== 'pending' && item.status !== 'pending' && item.status !== old.status)
      return `${item.id} is settled twice`;
  }
  for (const decision of change.decisions) {
    const old = before.decisions.find(({ id }) => id === decision.id);
    if (old === undefined) continue;
    if (JSON.stringify({ ...decision, stale: old.stale }) !== JSON.stringify(old))
      return `decision ${decision.id} was rewritten`;
  }
  return null;
}
