import type { Job } from '../job.js';
import type { Json } from '../json.js';

/** A run that another run asks for, through an `agent` skill. */
export interface ChildRequest {
  /** Derived from the caller's job and the key of its call: asking twice makes one job. */
  readonly id: string;
  /** Key of the call. */
  readonly key: string;
  /** Name of a topology that the caller was frozen with, or `name@version`. */
  readonly topology: string;
  readonly input: Json;
  /** Execution time after which the child fails; its waiting does not count. */
  readonly timeoutMs: number;
  /** What the caller may still use: the child may not use more. null = there is no such limit. */
  readonly budget: { readonly usd: number | null; readonly tokens: number | null };
}

/**
 * The runs that one run has asked for. A child is a job like any other, with a row, a snapshot,
 * limits and a journal of its own; what decides its work was frozen with its caller. It has the
 * labels, the correlation id and the submitter of its caller, and never takes part of the caller's
 * slot (docs/design/journal.md#waiting).
 */
export interface ChildRuns {
  /** How many runs stand above this one: 0 for a run that no other asked for. */
  depth(): Promise<number>;
  get(id: string): Promise<Job | null>;
  /**
   * Writes the row, once: a second call answers the first job. Throws what a submit throws; nothing
   * is written then.
   */
  submit(request: ChildRequest): Promise<Job>;
  /** Makes a stopped child runnable again. */
  goOn(id: string): Promise<void>;
  /** Asks it to stop, in the name of its caller. One that is over is left alone. */
  stop(id: string): Promise<void>;
}
