/**
 * Named fault points stand before and after every durable write
 * (docs/design/decisions.md#fault-points). In production the dependency is `NO_FAULTS`; the crash
 * test passes one that kills its own process at the n-th point, and enumerates all of them.
 */
export interface FaultPoints {
  /** Called synchronously. A name is `<area>.<write>:before` or `:after`. */
  hit(name: string): void;
}

/** The fault points of production: nothing happens at any of them. */
export const NO_FAULTS: FaultPoints = { hit: () => {} };
