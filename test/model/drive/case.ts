// One case: a policy, a registry, an author; and the pair that must stay in step, the oracle's
// world and the state that the engine works on.
import type { ApprovalPolicy, ReviewState, RoleDirectory } from '../../../src/domain/gates.js';
import type { Attempt } from '../oracle/attempt.js';
import type { Author } from '../oracle/people.js';
import type { Draft, World } from '../oracle/world.js';

export interface Case {
  /** One gate each. */
  readonly policies: readonly ApprovalPolicy[];
  readonly roles: RoleDirectory;
  readonly author: Author;
  /** What the first round of each gate is about. */
  readonly drafts: readonly Draft[];
}

/** What happens to a case, in order. */
export type Move =
  | { readonly kind: 'attempt'; readonly attempt: Attempt }
  | { readonly kind: 'round'; readonly gate: number; readonly activation: string; readonly draft: Draft }
  | { readonly kind: 'registry'; readonly roles: RoleDirectory }
  | { readonly kind: 'run'; readonly stopped: boolean }
  | { readonly kind: 'clock'; readonly ms: number }
  /** What every read, resolve and resume does first. */
  | { readonly kind: 'sweep' };

export interface Pair {
  readonly world: World;
  readonly state: ReviewState;
  readonly roles: RoleDirectory;
  /** The moves so far, last first. */
  readonly trail: Trail | null;
}

export interface Trail {
  readonly move: Move;
  readonly before: Trail | null;
}

/** Engine and oracle differ, or the engine broke one of its own laws. */
export class Difference extends Error {
  constructor(
    readonly problem: string,
    readonly start: Case,
    readonly trail: Trail | null,
  ) {
    super(problem);
  }

  moves(): readonly Move[] {
    const moves: Move[] = [];
    for (let at = this.trail; at !== null; at = at.before) moves.unshift(at.move);
    return moves;
  }

  /** Everything that is needed to see it again. */
  report(): string {
    return JSON.stringify({ problem: this.problem, ...this.start, moves: this.moves() }, null, 1);
  }
}
