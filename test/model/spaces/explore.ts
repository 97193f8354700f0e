// Every order of moves from the start of a case: each state once, every move from each.
import { type Case, Difference, type Move, type Pair } from '../drive/case.js';
import { readingProblem } from '../drive/reading.js';
import { step } from '../drive/step.js';
import { lastRound, type Round, type World } from '../oracle/world.js';

/** How much was looked at. */
export interface Explored {
  states: number;
  attempts: number;
  /** Some state is approved. */
  approved: boolean;
  /** What became of the attempts. */
  readonly outcomes: Map<string, number>;
}

const roundKey = ({ signatures, status }: Round): string =>
  `${status[0]}${signatures.map(({ task, person, outcome, stale, carriedFrom }) => `${task}${person}${outcome[0]}${stale ? '-' : ''}${carriedFrom === null ? '' : '^'}`).join()}`;

const keyOf = ({ gates }: World): string => gates.map(({ rounds }) => rounds.map(roundKey).join('/')).join('|');

export const count = (total: Explored, outcome: string): void => {
  total.outcomes.set(outcome, (total.outcomes.get(outcome) ?? 0) + 1);
};

export const nothingExplored = (): Explored => ({ states: 0, attempts: 0, approved: false, outcomes: new Map() });

/**
 * From each state: what is tried, and whether no order of approvals can approve the gate any more.
 */
interface Look {
  readonly moves: (world: World) => readonly Move[];
  readonly isLost?: (world: World) => boolean;
}

export function explore(start: Case, first: Pair, look: Look, total: Explored): void {
  const seen = new Set([keyOf(first.world)]);
  const open = [first];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    total.states += 1;
    total.approved ||= pair.world.gates.some((gate) => lastRound(gate).status === 'approved');
    const problem = readingProblem(pair, look.isLost?.(pair.world) ?? null);
    if (problem !== null) throw new Difference(problem, start, pair.trail);
    for (const move of look.moves(pair.world)) {
      const next = step(start, pair, move);
      total.attempts += 1;
      count(total, next.outcome);
      if (next.pair === pair) continue;
      const key = keyOf(next.pair.world);
      if (seen.has(key)) continue;
      seen.add(key);
      open.push(next.pair);
    }
  }
}
