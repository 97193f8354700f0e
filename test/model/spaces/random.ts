// Random cases: played on both sides, and made shorter when they differ.
import { randomFrom } from '../../support/crash-share.js';
import { below } from '../../support/fuzz-mutations.js';
import { type Case, Difference, type Move } from '../drive/case.js';
import { begin } from '../drive/open.js';
import { readingProblem } from '../drive/reading.js';
import { step } from '../drive/step.js';
import type { World } from '../oracle/world.js';
import { count, type Explored } from './explore.js';
import { randomStart } from './random-case.js';
import { randomMove } from './random-moves.js';

const isThere = ({ gates }: World, move: Move): boolean => {
  if (move.kind === 'round') {
    const last = gates[move.gate]?.rounds.at(-1);
    return last?.status === (last?.activation === move.activation ? 'changes-requested' : 'approved');
  }
  if (move.kind !== 'attempt' || move.attempt.target === null || move.attempt.target === 'other') return true;
  const { gate, round, task } = move.attempt.target;
  return gates[gate]?.rounds[round]?.tasks[task] !== undefined;
};

/** The difference that these moves lead to, or null. */
function replayed(start: Case, moves: readonly Move[]): Difference | null {
  try {
    let pair = begin(start);
    for (const move of moves) if (isThere(pair.world, move)) pair = step(start, pair, move).pair;
    const problem = readingProblem(pair, null);
    return problem === null ? null : new Difference(problem, start, pair.trail);
  } catch (error) {
    if (error instanceof Difference) return error;
    throw error;
  }
}

/** Leaves out every move that the difference does not need. */
function shortened(start: Case, found: Difference): Difference {
  let best = found;
  for (let at = 0; at < best.moves().length; ) {
    const fewer = replayed(start, best.moves().toSpliced(at, 1));
    if (fewer === null) at += 1;
    else best = fewer;
  }
  return best;
}

/**
 * How the rounds of a case ended: a kind of ending that no case reached would have been tested by
 * nothing.
 */
function countEnds({ gates }: World, total: Explored): void {
  for (const { rounds } of gates) {
    for (const { status, withdrawn, signatures } of rounds) {
      count(total, withdrawn ? 'gate withdrawn' : `gate ${status}`);
      if (signatures.some(({ carriedFrom }) => carriedFrom !== null)) count(total, 'round with kept decisions');
    }
  }
}

export function playRandom(seed: number, index: number, total: Explored): void {
  const random = randomFrom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  const { start, cast } = randomStart(random);
  try {
    let pair = begin(start);
    for (let moves = 6 + below(random, 10); moves > 0; moves--) {
      const next = step(start, pair, randomMove(random, start, cast, pair.world));
      pair = next.pair;
      total.attempts += 1;
      count(total, next.outcome);
    }
    const problem = readingProblem(pair, null);
    if (problem !== null) throw new Difference(problem, start, pair.trail);
    total.states += 1;
    countEnds(pair.world, total);
  } catch (error) {
    throw error instanceof Difference ? shortened(start, error) : error;
  }
}
