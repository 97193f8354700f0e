// One move on both sides, and everything that must hold afterwards.
import type { ReviewState, RoleDirectory } from '../../../src/domain/gates.js';
import type { ReviewChange } from '../../../src/domain/ports/reviews.js';
import { type Attempt, attempt, type Refusal, type Verdict } from '../oracle/attempt.js';
import { readPeople } from '../oracle/people.js';
import type { World } from '../oracle/world.js';
import { type Case, Difference, type Move, type Pair } from './case.js';
import { historyProblem, stateProblem, untouchedProblem } from './compare.js';
import { type Resolution, resolveItem } from './engine.js';
import { recordedProblem } from './events.js';
import { applied } from './memory-reviews.js';
import { instantOf, itemIdOf, OTHER_ITEM, UNKNOWN_ITEM } from './names.js';
import { openInState, openInWorld } from './open.js';
import { TOLD } from './refusals.js';
import { swept } from './sweep.js';

export interface Stepped {
  readonly pair: Pair;
  /** What became of it; for counting. */
  readonly outcome: Verdict['kind'] | Refusal | 'reopened' | 'moved' | 'exhausted' | 'clock acted' | 'nothing due';
}

let ids = 0;
const newId = (): string => `id-${ids++}`;

function itemId(world: World, { target }: Attempt): string {
  if (target === null) return UNKNOWN_ITEM;
  if (target === 'other') return OTHER_ITEM;
  const task = world.gates[target.gate]?.rounds[target.round]?.tasks[target.task];
  return task === undefined ? UNKNOWN_ITEM : itemIdOf(target.gate, task.rule, task.role, target.round);
}

function refusalProblem(
  refusals: readonly Refusal[],
  { result, ...change }: ReviewChange<Resolution>,
  tried: Attempt,
): string | null {
  if (result.kind !== 'refused')
    return `the engine ${result.unchanged ? 'repeats' : 'records'} what is to be refused: ${refusals.join()}`;
  const fits = (refusal: Refusal): boolean =>
    TOLD[refusal].code === result.code && TOLD[refusal].kinds.includes(result.refusal);
  if (!refusals.some(fits))
    return `refused as ${result.refusal} (${result.code}: ${result.message}), not as ${refusals.join()}`;
  // "A non-member message names the identity and the role."
  const names = [tried.identity, result.item?.role ?? ''];
  if (result.refusal === 'not_a_member' && !names.every((name) => result.message.includes(name)))
    return `no name in: ${result.message}`;
  return untouchedProblem({ result, ...change }, refusals.includes('unknown-item') ? [0, 1] : [1], result.code);
}

function verdictProblem(
  before: Pair,
  verdict: Verdict,
  change: ReviewChange<Resolution>,
  tried: Attempt,
): string | null {
  if (verdict.kind === 'refused') return refusalProblem(verdict.refusals, change, tried);
  const { result } = change;
  if (result.kind === 'refused') return `refused with ${result.code} (${result.message}), not ${verdict.kind}`;
  if (result.unchanged !== (verdict.kind === 'unchanged')) return `the engine says unchanged: ${result.unchanged}`;
  if (verdict.kind === 'unchanged') return untouchedProblem(change, [1], null);
  return historyProblem(before.state, change) ?? recordedProblem(before, verdict, change, tried);
}

function stepAttempt(start: Case, pair: Pair, tried: Attempt, moved: Pair): Stepped {
  const verdict = attempt(pair.world, tried);
  const { identity, assurance, isUnauthenticated, outcome, comment } = tried;
  const request = {
    itemId: itemId(pair.world, tried),
    identity,
    assurance,
    isUnauthenticated,
    outcome,
    comment,
    roles: pair.roles,
    newId,
    sign: null,
  };
  const change = resolveItem(pair.state, request);
  const problem = verdictProblem(pair, verdict, change, tried);
  if (problem !== null) throw new Difference(problem, start, moved.trail);
  if (verdict.kind === 'refused') return { pair, outcome: verdict.refusals[0] ?? 'decided' };
  if (verdict.kind === 'unchanged') return { pair, outcome: 'unchanged' };
  const state = applied(pair.state, change);
  const different = stateProblem(state, verdict.world);
  if (different !== null) throw new Difference(different, start, moved.trail);
  return { pair: { ...moved, state, world: verdict.world }, outcome: verdict.reopened >= 0 ? 'reopened' : 'recorded' };
}

const stoppedState = (state: ReviewState, stopped: boolean): ReviewState => ({
  ...state,
  job: { ...state.job, status: stopped ? 'stopped' : 'deferred' },
});

const withRoles = (pair: Pair, roles: RoleDirectory): Pair => ({
  ...pair,
  roles,
  world: { ...pair.world, people: readPeople(roles) },
});

/** Throws a `Difference` that says how to see it again. */
export function step(start: Case, pair: Pair, move: Move): Stepped {
  const moved: Pair = { ...pair, trail: { move, before: pair.trail } };
  if (move.kind === 'attempt') return stepAttempt(start, pair, move.attempt, moved);
  if (move.kind === 'registry') return { pair: withRoles(moved, move.roles), outcome: 'moved' };
  if (move.kind === 'clock') return { pair: atInstant(moved, pair.world.nowMs + move.ms), outcome: 'moved' };
  if (move.kind === 'sweep') return stepSweep(start, pair, moved);
  if (move.kind === 'run')
    return {
      pair: {
        ...moved,
        state: stoppedState(pair.state, move.stopped),
        world: { ...pair.world, stopped: move.stopped },
      },
      outcome: 'moved',
    };
  return stepRound(start, pair, move, moved);
}

const atInstant = (pair: Pair, nowMs: number): Pair => ({
  ...pair,
  world: { ...pair.world, nowMs },
  state: { ...pair.state, now: instantOf(nowMs) },
});

function stepSweep(start: Case, pair: Pair, moved: Pair): Stepped {
  const result = swept(pair, newId);
  if (typeof result === 'string') throw new Difference(result, start, moved.trail);
  return result === null ? { pair, outcome: 'nothing due' } : { pair: { ...moved, ...result }, outcome: 'clock acted' };
}

function stepRound(start: Case, pair: Pair, move: Extract<Move, { kind: 'round' }>, moved: Pair): Stepped {
  const state = openInState(pair.state, move, start.policies[move.gate], pair.roles);
  const world = openInWorld(pair.world, move);
  if (state === null && world === null) return { pair, outcome: 'exhausted' };
  if (state === null || world === null)
    throw new Difference(`the engine opens ${state === null ? 'no' : 'a'} further round`, start, moved.trail);
  const different = stateProblem(state, world);
  if (different !== null) throw new Difference(different, start, moved.trail);
  return { pair: { ...moved, state, world }, outcome: 'moved' };
}
