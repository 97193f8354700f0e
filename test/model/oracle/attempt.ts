// One person tries to decide one task: what is refused, and what a recorded decision changes
// (docs/design/execution.md#admission).
import type { Outcome } from '../../../src/domain/gates.js';
import { isLate } from './clock.js';
import { reopen, reopens, statusOf } from './count.js';
import { isIdentified, personOf } from './people.js';
import { type Gate, lastRound, type Round, replaceAt, type Signature, type World, withRound } from './world.js';

/** Which task: null = an id that nobody knows; `other` = an item that is not a role task. */
export type Target = { readonly gate: number; readonly round: number; readonly task: number } | 'other' | null;

export interface Attempt {
  readonly target: Target;
  readonly identity: string;
  readonly assurance: 'authenticated' | 'asserted';
  /** The CLI, or a server without authentication. */
  readonly isUnauthenticated: boolean;
  readonly outcome: string;
  readonly comment: string;
}

export type Refusal =
  | 'unknown-item'
  | 'bad-outcome'
  | 'no-comment'
  | 'no-scope'
  | 'not-role-task'
  | 'role-unknown'
  | 'scope-not-conferred'
  | 'not-member'
  | 'author'
  | 'author-unidentified'
  | 'signed-already'
  | 'expired'
  | 'stopped'
  | 'over'
  | 'decided';

export type Verdict =
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'recorded'; readonly world: World; readonly reopened: number };

const SPELLINGS: ReadonlyMap<string, Outcome> = new Map([
  ['approve', 'approve'],
  ['reject', 'reject'],
  ['changes_requested', 'changes_requested'],
  ['changes-requested', 'changes_requested'],
]);

/** The three checks, then the author. Null = none of them speaks against it. */
function forbidden(world: World, gate: Gate, round: Round, task: number, attempt: Attempt): Refusal | null {
  const { people, author } = world;
  const person = personOf(people, attempt.identity);
  const seat = people.seats.get(round.tasks[task]?.role ?? '');
  if (seat === undefined) return 'role-unknown';
  if (!seat.scopes.has(round.rules[round.tasks[task]?.rule ?? -1]?.scope ?? '')) return 'scope-not-conferred';
  if (!seat.members.has(person)) return 'not-member';
  if (!gate.policy.excludeAuthor) return null;
  if (person === personOf(people, author.identity)) return 'author';
  return isIdentified(people, author) || attempt.isUnauthenticated || attempt.assurance === 'authenticated'
    ? null
    : 'author-unidentified';
}

/**
 * What stands against a decision however entitled its person is. Where several hold, the texts name
 * no first one.
 */
function closed(world: World, round: Round, isLast: boolean, task: number): readonly Refusal[] {
  const found: Refusal[] = [];
  if (round.timedOut || isLate(round, world.nowMs)) found.push('expired');
  if (world.stopped) found.push('stopped');
  if (!isLast || round.withdrawn) found.push('over');
  if (round.status !== 'pending' || (round.tasks[task]?.by ?? -1) >= 0) found.push('decided');
  return found;
}

export function attempt(world: World, tried: Attempt): Verdict {
  const { target } = tried;
  const refuse = (...refusals: readonly Refusal[]): Verdict => ({ kind: 'refused', refusals });
  if (target === null) return refuse('unknown-item');
  const outcome = SPELLINGS.get(tried.outcome);
  if (outcome === undefined) return refuse('bad-outcome');
  if (outcome === 'changes_requested' && tried.comment.trim() === '') return refuse('no-comment');
  const person = personOf(world.people, tried.identity);
  if (![...world.people.seats.values()].some(({ members }) => members.has(person))) return refuse('no-scope');
  if (target === 'other') return refuse('not-role-task');

  const gate = world.gates[target.gate] as Gate; // targets are made from this world
  const round = gate.rounds[target.round] as Round;
  const refusal = forbidden(world, gate, round, target.task, tried);
  if (refusal !== null) return refuse(refusal);
  const task = round.tasks[target.task];
  const made = task === undefined ? undefined : round.signatures[task.by];
  if (made !== undefined && made.person === person && made.outcome === outcome) return { kind: 'unchanged' };
  const against = closed(world, round, target.round === gate.rounds.length - 1, target.task);
  const signed = (task?.reopened ?? 0) > 0 && round.signatures.some((signature) => signature.person === person);
  if (signed) return refuse('signed-already', ...against);
  if (against.length > 0) return refuse(...against);
  const signature: Signature = {
    task: target.task,
    identity: tried.identity,
    person,
    outcome,
    stale: false,
    carriedFrom: null,
  };
  return record(world, target.gate, signature);
}

function record(world: World, at: number, signature: Signature): Verdict {
  const gate = world.gates[at] as Gate;
  const before = lastRound(gate);
  const task = before.tasks[signature.task];
  if (task === undefined) throw new Error(`no task ${signature.task}`);
  const signed: Round = {
    ...before,
    tasks: replaceAt(before.tasks, signature.task, { ...task, by: before.signatures.length }),
    signatures: [...before.signatures, signature],
  };
  const status = statusOf(gate.policy, signed);
  const reopened = status === 'pending' ? reopens(gate.policy, signed) : -1;
  const after: Round = { ...(reopened < 0 ? signed : reopen(signed, reopened)), status };
  const gates = replaceAt(world.gates, at, withRound(gate, after));
  return {
    kind: 'recorded',
    world: { ...world, gates: status === 'rejected' ? withdrawOthers(gates, at) : gates },
    reopened,
  };
}

/** "Reject ends the run and withdraws its other gates." */
export const withdrawOthers = (gates: readonly Gate[], at: number): readonly Gate[] =>
  gates.map((gate, index) => {
    const round = lastRound(gate);
    return index === at || round.status !== 'pending' ? gate : withRound(gate, { ...round, withdrawn: true });
  });
