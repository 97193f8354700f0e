/**
 * One thing that is awaited: the id of a gate, of a review item or of another run, or `outage:` and
 * the key of a step, and a text for the row's `error`.
 */
export interface Wait {
  readonly id: string;
  /** `gate 'abc:writer' awaits sign-off by qa, ops`. */
  readonly text: string;
  /** It goes on by itself: nobody has to act. Absent: people decide. */
  readonly isUnderWay?: true;
  /** Milliseconds after which it is looked at again; absent = what it waits for wakes the run. */
  readonly wakeAfterMs?: number;
  /** Key of the step that waits for an agent that runs elsewhere; absent = it waits for none. */
  readonly remote?: string;
}
