/**
 * What a worker says to a supervisor over the control pipe, one JSON object a line. Command line
 * and environment of the child travel here and not through the supervisor's own, where others could
 * read them.
 */
export type SupervisorCommand =
  | {
      readonly op: 'start';
      readonly argv: readonly [string, ...string[]];
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
      /** Value of the environment variable that marks every process of this spawn. */
      readonly marker: string;
      /** Epoch milliseconds at which everything is killed unless renewed. */
      readonly untilMs: number;
      /** How long others of the group may live on when the child has exited. */
      readonly drainMs: number;
      /** As in ProcessSpec. */
      readonly afterwards?: {
        readonly argv: readonly [string, ...string[]];
        readonly timeoutMs: number;
        readonly word?: string;
      };
    }
  | { readonly op: 'renew'; readonly untilMs: number }
  | { readonly op: 'end'; readonly graceMs: number };

/** What a supervisor says to its worker over the report pipe, one JSON object a line. */
export type SupervisorReport =
  | { readonly event: 'started'; readonly pid: number }
  | { readonly event: 'start_failed'; readonly code: string; readonly message: string }
  | { readonly event: 'exited'; readonly exitCode: number | null; readonly signal: string | null }
  /** Nothing of the group is alive any more; the supervisor exits after this. */
  | { readonly event: 'gone'; readonly leaseOver: boolean };

/** File descriptor of the control pipe in the supervisor. */
export const CONTROL_FD = 3;

/**
 * File descriptor of the report pipe in the supervisor. On one pipe for both, a worker that writes
 * after the supervisor has gone would lose the last reports: a failed write ends its reading too.
 */
export const REPORT_FD = 4;
