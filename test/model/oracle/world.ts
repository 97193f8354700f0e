// What the oracle remembers of a job and its gates: as little as the rules speak of. Values are
// never changed in place.
import type { ApprovalPolicy, ApprovalRule, Outcome } from '../../../src/domain/gates.js';
import type { Author, People } from './people.js';

/**
 * One task: a role of a rule. `by` is the place of the signature that completed it, -1 while it is
 * open.
 */
export interface Task {
  readonly rule: number;
  readonly role: string;
  readonly by: number;
  readonly reopened: number;
}

/** One recorded decision. */
export interface Signature {
  readonly task: number;
  readonly identity: string;
  readonly person: string;
  readonly outcome: Outcome;
  readonly stale: boolean;
  /** Round in which it was made, where it was carried over from there; null = made here. */
  readonly carriedFrom: number | null;
}

export type RoundStatus = 'pending' | 'approved' | 'rejected' | 'changes-requested';

/**
 * An artifact under review: `sha256` names its bytes, `diff` those of the changes that come with
 * it, `parts` the bytes that each rule covers.
 */
export interface Draft {
  readonly sha256: string;
  readonly diff: string | null;
  readonly parts: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface Round {
  readonly activation: string;
  /** Those of the policy, and the one that an escalation added. */
  readonly rules: readonly ApprovalRule[];
  readonly draft: Draft;
  readonly tasks: readonly Task[];
  /** In the order in which they were recorded; carried ones first. */
  readonly signatures: readonly Signature[];
  readonly status: RoundStatus;
  readonly withdrawn: boolean;
  /** Milliseconds of the world's clock; null: never, or done. */
  readonly expiresAt: number | null;
  readonly remindAt: number | null;
  /** The clock rejected it. */
  readonly timedOut: boolean;
}

export interface Gate {
  readonly policy: ApprovalPolicy;
  readonly rounds: readonly Round[];
}

export interface World {
  readonly people: People;
  readonly author: Author;
  readonly stopped: boolean;
  readonly nowMs: number;
  readonly gates: readonly Gate[];
}

// a gate begins with a round
export const lastRound = (gate: Gate): Round => gate.rounds[gate.rounds.length - 1] as Round;

export const withRound = (gate: Gate, round: Round): Gate => ({
  ...gate,
  rounds: [...gate.rounds.slice(0, -1), round],
});

export const replaceAt = <T>(items: readonly T[], at: number, item: T): readonly T[] =>
  items.map((old, index) => (index === at ? item : old));

/** Tasks in the order of rules and, within one, of roles. */
export const tasksOf = ({ rules }: Pick<Round, 'rules'>): readonly Task[] =>
  rules.flatMap(({ roles }, rule) => roles.map((role): Task => ({ rule, role, by: -1, reopened: 0 })));
