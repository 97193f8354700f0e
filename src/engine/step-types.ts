import type { Usage } from '../domain/job.js';
import type { RunWrite, StepOutcome, StepRow } from '../domain/journal.js';
import type { Json } from '../domain/json.js';
import type { Decision } from '../domain/ports/governance.js';
import type { Spent } from '../govern/spent.js';
import type { Soon } from '../lib/soon.js';
import type { JournalSession } from './journal-session.js';
import type { NewEvent } from './new-event.js';
import type { Parked } from './park.js';
import type { StepFailure } from './step-failure.js';

/** A governance limit that the next step would break. */
export interface Breach {
  readonly limit: string;
  readonly limitValue: number;
  /** null: the cost so far is not known. */
  readonly actual: number | null;
}

export interface StepsDeps {
  readonly jobId: string;
  readonly topologyId: string;
  readonly session: JournalSession;
  readonly now: () => number;
  /** Aborts when the task scope ends early. */
  readonly signal: AbortSignal;
  /**
   * Replaces secret values before a result is stored and before the interpreter sees it
   * (docs/design/journal.md#masking).
   */
  readonly mask: <T extends Json>(value: T) => T;
  /** Would `units` more steps of this agent break a limit? */
  readonly breach: (request: {
    readonly agentId: string | null;
    readonly units: number;
    readonly spent: Spent;
  }) => Breach | null;
  /**
   * Why `signal` aborted, where that is an outcome of the steps it cut off and no end of the run;
   * null or absent = it is not.
   */
  readonly cutOff?: () => StepFailure | null;
  /** Called with what a step threw, for the operator's log: the record keeps the message alone. */
  readonly onThrown?: (key: string, error: unknown) => void;
  /**
   * `forbid`: a replay check; a step that would have to run waits for the end of the scope instead.
   */
  readonly effects: 'allow' | 'forbid';
}

/** What its row says of it, with what is called, and what happens around it. */
export interface StepSpec extends Pick<StepRow, 'key' | 'kind' | 'effects' | 'onInDoubt' | 'agentId' | 'units'> {
  /** What is called with which arguments; not the wording of a prompt. */
  readonly identity: Json;
  /**
   * Asked when the step is about to run, live, and recorded with the outcome
   * (docs/design/journal.md#live). An answer that is at hand is given as it is.
   */
  readonly authorize?: () => Soon<Decision>;
  readonly onDenied?: (decision: Extract<Decision, { verdict: 'deny' | 'ask' }>) => readonly NewEvent[];
  readonly startEvents?: readonly NewEvent[];
  /** Events that are added when the answer of `authorize` was a yes, in the commit of the start. */
  readonly onAllowed?: () => readonly NewEvent[];
}

export interface StepContext extends Pick<StepRow, 'key' | 'stepId' | 'attempt'> {
  /** What an earlier attempt noted. */
  readonly notes: Readonly<Record<string, Json>>;
  /** Records an event inside the step; resolves when it is durable. */
  emit(event: NewEvent): Promise<void>;
  /** Records facts that a takeover needs, with an optional event. */
  note(notes: Readonly<Record<string, Json>>, events?: readonly NewEvent[]): Promise<void>;
}

/** What `fn` hands back: recorded whole, in one commit. */
export interface StepEnd<T extends Json> {
  readonly outcome: StepOutcome<T>;
  readonly usage?: Usage | null;
  readonly events?: readonly NewEvent[];
}

/** What a step asks people, written in the commit of its row. */
export type Question = Pick<Extract<RunWrite, { op: 'step.started' }>, 'opens' | 'asks'> & {
  readonly events: readonly NewEvent[];
};

/** How a step that people settle is opened and closed. */
export interface PeopleStep<T extends Json> {
  /**
   * Asked once, before there is a row: the question, an end without one, or a park that leaves no
   * row.
   */
  open(): Promise<{ readonly question: Question } | StepEnd<T> | Parked>;
  /** Reads what people said since, each time the run comes by. */
  settle(): Promise<StepEnd<T> | Parked>;
}

/** A step that is about to begin, and the row of its key. */
export interface Opening {
  readonly spec: StepSpec;
  readonly identity: string;
  /** Of an earlier attempt, or one that has ended; undefined: there is none. */
  readonly row: StepRow | undefined;
}

/** What its row begins with besides. */
export interface StartOf {
  readonly notes?: Readonly<Record<string, Json>>;
  readonly repeated?: boolean;
  readonly question?: Question;
  /** Events that the answer of `authorize` adds. */
  readonly allowedEvents?: readonly NewEvent[];
}
