import type { Fix } from '../domain/diagnostic.js';

/** One problem that `kit validate --fix` fixes. */
export interface FixedProblem {
  readonly path: string;
  /** From 1, in the file as it was before this fix. */
  readonly line: number | null;
  readonly code: string;
  readonly message: string;
  readonly fix: Fix;
  /** The value may be a secret, and is not shown. */
  readonly isHidden: boolean;
}

/** What `kit validate --fix` wrote, or would write. */
export interface FixReport {
  readonly fixed: readonly FixedProblem[];
  /** The files that say something else by it, relative to the workspace. */
  readonly files: readonly string[];
}
