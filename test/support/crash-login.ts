/** One process that begins runs which use the login `notes`. */
export interface LoginPlan {
  readonly url: string | null;
  readonly stateDir: string;
  readonly endpoint: string;
  /** Number of the fault point to die at; 0 = at none. */
  readonly dieAt: number;
  /** How much later it is than at the login. */
  readonly shiftMs: number;
  readonly runs: number;
}

/** What it tells that did not die. */
export interface LoginTold {
  readonly points: readonly string[];
  readonly warnings: readonly string[];
  /** Of each run, in order: `has the token`, or the code of its error. */
  readonly outcomes: readonly string[];
  readonly token: string | null;
  /** How often it waited for another process. */
  readonly waits: number;
}

/** The key that all processes of the test seal with. */
export const loginKey = (): Uint8Array => new Uint8Array(32).fill(7);
