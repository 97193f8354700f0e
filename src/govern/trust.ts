/**
 * How far an agent is trusted (docs/design/execution.md#trust): what a policy may ask for, and what
 * is told.
 */
export type TrustTier = 'full' | 'degraded' | 'untrusted' | 'denied';

export interface Trust {
  /** 0..1; null: the source of trust failed, or gave no such number. */
  readonly score: number | null;
  readonly tier: TrustTier;
}

const FULL_FROM = 0.8;
const DEGRADED_FROM = 0.4;
const DENIED_BELOW = 0.2;

/** No source of trust: every agent is trusted. */
export const FULLY_TRUSTED: Trust = { score: 1, tier: 'full' };

/**
 * Reads what a provider answered. `null` = it has nothing to say of the agent; anything that is no
 * number from 0 to 1 is not trust at all.
 */
export function trustOf(answer: unknown): Trust {
  if (answer === null) return FULLY_TRUSTED;
  if (typeof answer !== 'number' || !(answer >= 0 && answer <= 1)) return { score: null, tier: 'denied' };
  return { score: answer, tier: tierOf(answer) };
}

function tierOf(score: number): TrustTier {
  if (score >= FULL_FROM) return 'full';
  if (score >= DEGRADED_FROM) return 'degraded';
  return score >= DENIED_BELOW ? 'untrusted' : 'denied';
}
