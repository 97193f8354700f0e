/**
 * One thing that is awaited: the id of a gate, of a review item or of another run, and a text for
 * the row's `error`.
 */
export interface Wait {
  readonly id: string;
  /** `gate 'abc:writer' awaits sign-off by qa, ops`. */
  readonly text: string;
  /** Another run that goes on by itself: nobody has to act. Absent: people decide. */
  readonly isUnderWay?: true;
}
