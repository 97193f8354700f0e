/** One condition of `promote_when` beside what was measured; `value` null = nothing was. */
export interface PromoteCondition {
  readonly name: 'min_runs' | 'error_rate_below' | 'drift_below';
  readonly bound: number;
  readonly value: number | null;
  readonly met: boolean;
  /** Why a condition without a value is unmet; '' otherwise. */
  readonly note: string;
}
