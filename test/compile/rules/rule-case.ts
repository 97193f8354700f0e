import type { Sources } from '../../support/compile.js';

export interface RuleCase {
  readonly code: string;
  readonly at: string;
  readonly severity?: 'warning';
  readonly sources: Sources;
  readonly environment?: Readonly<Record<string, string>>;
  /** Other diagnostics that the same text rightly has. */
  readonly also?: readonly string[];
}
