import type { AgtConfig } from './agt-config.js';

const HOUR_MS = 3_600_000;

/**
 * Trust of an agent now: what the configuration says, halved every `trust_decay_half_life_hours`
 * since `as_of`. null = nothing is said.
 */
export function trustOf(
  { trustScores, halfLifeHours }: Pick<AgtConfig, 'trustScores' | 'halfLifeHours'>,
  agentId: string,
  nowMs: number,
): number | null {
  const entry = trustScores.get(agentId);
  if (entry === undefined) return null;
  if (entry.asOfMs === null || halfLifeHours === null) return entry.score;
  const ageMs = Math.max(0, nowMs - entry.asOfMs);
  return entry.score * 0.5 ** (ageMs / (halfLifeHours * HOUR_MS));
}
