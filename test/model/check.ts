// The checks by name, a share of each: every `stride`-th case, so that shares of different seeds
// are different cases.
import { Difference } from './drive/case.js';
import { type Explored, nothingExplored } from './spaces/explore.js';
import { playRandom } from './spaces/random.js';
import { proveRandom, proveSmall } from './spaces/satisfiable.js';
import { allSmallCases, casesOf, isRepresentative, RULES, type SmallCase } from './spaces/small.js';
import { sampleSymmetry } from './spaces/symmetry.js';
import { walkToTheEnd } from './spaces/to-the-end.js';
import { REVISIONS, walkOneRound, walkTwoRounds } from './spaces/walks.js';

export const CHECKS = [
  'one round',
  'two rounds',
  'twenty rounds',
  'symmetry',
  'random',
  'satisfiable',
  'satisfiable at random',
] as const;
export type CheckName = (typeof CHECKS)[number];

export interface Order {
  readonly check: CheckName;
  readonly seed: number;
  /** 1 = every case of an exhaustive check. */
  readonly stride: number;
  /** How many random cases. */
  readonly count: number;
}

export interface Report {
  readonly check: CheckName;
  readonly cases: number;
  readonly states: number;
  readonly attempts: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly seconds: number;
  /** The first difference, with everything that is needed to see it again. */
  readonly difference: string | null;
}

/** Cases that stand for all others, the share of this order. */
function* shareOf(all: Iterable<SmallCase>, { stride, seed }: Order): Generator<SmallCase> {
  let index = 0;
  for (const small of all) if (isRepresentative(small) && index++ % stride === seed % stride) yield small;
}

function* twoRoundCases(order: Order): Generator<SmallCase> {
  for (const rule of RULES) yield* shareOf(casesOf([rule]), order);
}

function play(order: Order, total: Explored): number {
  let cases = 0;
  switch (order.check) {
    case 'one round':
      for (const small of shareOf(allSmallCases(), order)) {
        walkOneRound(small, total);
        cases += 1;
      }
      return cases;
    case 'two rounds':
      for (const small of twoRoundCases(order))
        for (const revision of REVISIONS) {
          walkTwoRounds(small, revision, total);
          cases += 1;
        }
      return cases;
    case 'twenty rounds':
      return walkToTheEnd(order.seed, total);
    case 'symmetry':
      return sampleSymmetry(order.seed, order.count, total);
    case 'random':
      for (; cases < order.count; cases++) playRandom(order.seed, cases, total);
      return cases;
    case 'satisfiable':
      for (const small of shareOf(allSmallCases(), order)) {
        proveSmall(small, total);
        cases += 1;
      }
      return cases;
    case 'satisfiable at random':
      for (; cases < order.count; cases++) proveRandom(order.seed, cases, total);
      return cases;
    default:
      return order.check satisfies never;
  }
}

/** A crash of the engine is a difference too: no attempt may throw. */
export function runCheck(order: Order): Report {
  const total = nothingExplored();
  const startedMs = performance.now();
  let difference: string | null = null;
  let cases = 0;
  try {
    cases = play(order, total);
  } catch (error) {
    difference = error instanceof Difference ? error.report() : String(error instanceof Error ? error.stack : error);
  }
  const { states, attempts, outcomes } = total;
  const seconds = (performance.now() - startedMs) / 1000;
  return { check: order.check, cases, states, attempts, outcomes: Object.fromEntries(outcomes), seconds, difference };
}
