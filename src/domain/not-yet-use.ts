import type { Span } from './diagnostic.js';
import type { Json } from './json.js';

/** One use of a key whose state in the key table is `not-yet`. */
export interface NotYetUse {
  /** Kind and key path, as the table names it: `Topology.agents.*.funnel`. */
  readonly key: string;
  readonly mark: 'refuse' | 'warn';
  readonly path: string;
  readonly pointer: string;
  readonly span: Span | null;
  /** Topologies (`name@version`) that reach it; null = every run of the workspace. */
  readonly reachedBy: readonly string[] | null;
  readonly value: Json;
}
