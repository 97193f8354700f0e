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
  /** The adapter that reads no such key; absent: no code of kit does. */
  readonly adapter?: string;
  /** Topologies (`name@version`) that reach it. */
  readonly reachedBy: readonly string[];
}
