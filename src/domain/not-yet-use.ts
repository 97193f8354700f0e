import type { Span } from './diagnostic.js';

/** One use of a key that nothing reads. */
export interface NotYetUse {
  /** Kind and key path: `Archetype.executor.config.sandbox`. */
  readonly key: string;
  /** `refuse`: it is meant to bound what a session may do. */
  readonly mark: 'refuse' | 'warn';
  readonly path: string;
  readonly pointer: string;
  readonly span: Span | null;
  /** Topologies (`name@version`) that reach it. */
  readonly reachedBy: readonly string[];
}
