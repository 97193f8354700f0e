/**
 * What is asked about an output that another run gave: the judge and the rubric of an eval case.
 */
export interface JudgeRequest {
  /** Id of a decision skill; null: kit's own judge, which knows the rubric alone. */
  readonly skill: string | null;
  /** What the run whose output is judged was asked. */
  readonly scope: string;
  readonly rubric: string | null;
  /** Least confidence of a `pass`; 0..1. */
  readonly threshold: number;
}

/**
 * The same in the snapshot: such a run evaluates one decision in place of its topology, and its
 * input is what is judged.
 */
export interface Judgement extends JudgeRequest {
  readonly skill: string;
}
