import type { RunEvent } from './events.js';
import type { GateOpening, ReviewItem } from './gates.js';
import type { Job, Usage } from './job.js';
import type { JobNeeds } from './job-needs.js';
import type { Json } from './json.js';
import type { RunFigures } from './run-figures.js';

/**
 * Raised with every change of keys, step order, identity or row shape. Recorded journals lie in
 * test/journals/<engine>/.
 */
export const ENGINE = 1;

/** What a step does to the world outside the journal. */
export type Effects = 'none' | 'read' | 'write' | 'destructive' | 'unknown';

/**
 * What a takeover does with a step that has `started` but no result
 * (docs/design/journal.md#in-doubt).
 */
export type OnInDoubt = 'repeat' | 'ask' | 'fail';

/** Kinds of steps. A hit whose kind differs is KIT_JOURNAL_DIVERGED. */
export type StepKind =
  | 'run'
  | 'input'
  | 'activation'
  | 'govern'
  | 'model'
  | 'tool'
  | 'skill'
  | 'harness'
  | 'decision'
  | 'memory'
  | 'output'
  | 'gate';

/**
 * What the caller of a step sees, recorded whatever it was (docs/design/journal.md#outcomes):
 * failures like successes. Only stop, park, abort and a lost lease leave a step unfinished.
 */
export type StepOutcome<T extends Json = Json> =
  | { readonly status: 'ok'; readonly value: T }
  | { readonly status: 'failed'; readonly reason: string; readonly message: string; readonly data?: Json };

/**
 * What is left of a result whose time is over (docs/design/journal.md#retention): whether the step
 * succeeded, and the machine-readable reason if it did not. It is still an outcome: a pruned step
 * never looks like one in doubt.
 */
export function prunedOutcome(outcome: StepOutcome): StepOutcome {
  if (outcome.status === 'ok') return { status: 'ok', value: null };
  return { status: 'failed', reason: outcome.reason, message: 'the result of this step was removed from the journal' };
}

/** A result that goes with the end of its run: the step, and what stays of its outcome. */
export interface DiscardedResult {
  readonly key: string;
  readonly outcome: StepOutcome;
}

/**
 * One row of the journal. A step has a row before it has a result: `outcome === null` is "in
 * doubt". Keys are paths of call sites: `root/d0/t3/c1:researcher/d0/t1/c0:fetch`
 * (docs/design/journal.md#keys).
 */
export interface StepRow {
  readonly jobId: string;
  readonly key: string;
  readonly kind: StepKind;
  /** SHA-256 hex over what is called with which arguments; not over the wording of a prompt. */
  readonly identity: string;
  readonly effects: Effects;
  readonly onInDoubt: OnInDoubt;
  /** How often the step was started; 2 and more mean it was repeated. */
  readonly attempt: number;
  /** The same on each attempt: KIT_STEP_ID, Idempotency-Key, MCP `_meta`. */
  readonly stepId: string;
  readonly outcome: StepOutcome | null;
  /** Facts a takeover needs while the step runs (harness session, worktree, base commit). */
  readonly notes: Readonly<Record<string, Json>>;
  readonly usage: Usage | null;
  /** Units of the step budget that this row consumed (a model call or a harness run = 1). */
  readonly units: number;
  readonly agentId: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /**
   * When the result was removed; `outcome` is then what `prunedOutcome` left. Absent = the result
   * is there.
   */
  readonly prunedAt?: string;
}

/**
 * One durable write of a run. The order in a batch is the order in the log. A batch is one commit
 * (grouped with other runs' batches), and holds only what docs/design/journal.md#small-commits lets
 * it hold.
 */
export type RunWrite =
  | {
      readonly op: 'step.started';
      readonly row: StepRow;
      readonly events: readonly RunEvent[];
      /** A gate step opens its round with its own row: neither is there without the other. */
      readonly opens?: GateOpening;
      /** A step that asks people something else. An item whose id exists is left as it is. */
      readonly asks?: readonly ReviewItem[];
    }
  | {
      readonly op: 'step.noted';
      readonly key: string;
      readonly notes: Readonly<Record<string, Json>>;
      readonly events: readonly RunEvent[];
    }
  | {
      readonly op: 'step.ended';
      readonly key: string;
      readonly outcome: StepOutcome;
      /** What JSON.stringify makes of `outcome`, where somebody has it already. */
      readonly outcomeText?: string;
      readonly usage: Usage | null;
      readonly units: number;
      readonly endedAt: string;
      readonly events: readonly RunEvent[];
    }
  | {
      readonly op: 'run.ended';
      readonly end: RunEnd;
      readonly events: readonly RunEvent[];
      /** For the row. Absent: not counted; those of an earlier end do not stay. */
      readonly figures?: RunFigures;
      /**
       * Results that are removed in the same commit (skills with `log_outputs: none`); only with a
       * status that is final.
       */
      readonly discard?: readonly DiscardedResult[];
    }
  | {
      /**
       * `running -> deferred`, unless something in `waitingOn` is already settled and `autoResume`
       * holds: then the row is left as it is, the lease too, and the worker that reads it goes on
       * (docs/design/journal.md#waking).
       */
      readonly op: 'run.parked';
      /** Gate ids, ids of items and of other runs, in call order. */
      readonly waitingOn: readonly string[];
      readonly error: string;
      readonly autoResume: boolean;
      /**
       * It waits for other runs alone, and nobody has to act: the row stays `running` without a
       * worker, and is claimable when this time is over by the store's clock, or as soon as one of
       * these runs ends or parks (docs/design/journal.md#waiting).
       */
      readonly wakeAfterMs?: number;
      /**
       * Keys of steps that wait for an agent that runs elsewhere: each is watched by whoever takes
       * its row (`RemoteWaitStore`). Absent: there is none.
       */
      readonly remote?: readonly string[];
      /** What the run needs from now on. Absent: what it needed before. */
      readonly needs?: JobNeeds;
      readonly events: readonly RunEvent[];
    };

/** The status with which a claim ended for good or was stopped; exactly one event tells it. */
export type RunEnd = Pick<Job, 'reason' | 'error' | 'output' | 'usage'> & {
  readonly status: 'completed' | 'failed' | 'stopped';
  /** Agent id -> unified diff; null when no harness ran. */
  readonly diffs: Readonly<Record<string, string>> | null;
  readonly endedAt: string;
};
