/**
 * `intent_monitoring` of an agent, or of its topology (docs/governance.md#drift). Plain JSON;
 * absent where it is not enabled.
 */
export interface IntentSettings {
  /** Distance between goal and output, 0..2, above which `onDrift` happens; 0.75 unless written. */
  readonly threshold: number;
  readonly onDrift: 'log' | 'warn' | 'nudge';
}
