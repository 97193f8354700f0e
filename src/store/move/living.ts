import type { JsonObject } from '../../domain/json.js';
import { decodeFleet, type FleetRow } from '../fleet-row.js';

/**
 * Processes that work on a store now, and what a person is told of them; null = none was heard of
 * lately.
 */
export function livingAmong(rows: readonly FleetRow[], now: string, aliveMs: number) {
  const living = decodeFleet(rows, { nowMs: Date.parse(now), aliveMs }).filter(({ isAlive }) => isAlive);
  if (living.length === 0) return null;
  return {
    names: living.map(({ kind, hostname, pid, id }) => `${kind} ${id} (pid ${pid} on ${hostname})`).join(', '),
    hint: `Stop ${living.length === 1 ? 'it' : 'them'} and migrate again; one that was killed counts as alive for ${aliveMs / 1000} s.`,
    data: living.map(
      ({ kind, id, hostname, pid, beatAt }): JsonObject => ({ kind, id, host: hostname, pid, beat_at: beatAt }),
    ),
  };
}
