import type { Kin } from './family.js';

/** What of the row of a run, read under its fence, decides about its writes. */
export interface FencedRow extends Kin {
  readonly ord: number;
  readonly labels: string;
  readonly correlation_id: string | null;
  readonly crashes: number;
  readonly topology: string;
  readonly stop_requested_at: string | null;
  readonly stop_requested_by: string | null;
}
