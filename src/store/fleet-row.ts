import type { FleetMember, SeenMember } from '../domain/ports/fleet.js';
import { compare } from '../lib/compare.js';
import type { RowParams } from './columns.js';

/** Rows of one list. */
export const FLEET_LISTED = 1000;
/** Rows that one beat removes at most: more go than come in the long run, and no write is long. */
export const FORGOTTEN_AT_ONCE = 100;

/** A row of `fleet_members` as both dialects return it; `offers` is JSON. */
export interface FleetRow extends Omit<FleetMember, 'kind' | 'jobClass' | 'offers' | 'startedAt'> {
  readonly kind: string;
  readonly job_class: string;
  readonly offers: string;
  readonly started_at: string;
  readonly beat_at: string;
}

export const fleetParams = (member: FleetMember): RowParams => ({
  id: member.id,
  kind: member.kind,
  hostname: member.hostname,
  pid: member.pid,
  version: member.version,
  engine: member.engine,
  jobClass: member.jobClass,
  concurrency: member.concurrency,
  active: member.active,
  offers: JSON.stringify(member.offers),
  startedAt: member.startedAt,
});

/**
 * The living first, newest start first. The casts restore what `fleetParams` wrote: nothing else
 * writes these columns.
 */
export function decodeFleet(
  rows: readonly FleetRow[],
  at: { readonly nowMs: number; readonly aliveMs: number },
): readonly SeenMember[] {
  const members = rows.map((row): SeenMember => {
    // A beat may have been written after the clock was asked.
    const silentMs = Math.max(0, at.nowMs - Date.parse(row.beat_at));
    return {
      id: row.id,
      kind: row.kind as FleetMember['kind'],
      hostname: row.hostname,
      pid: row.pid,
      version: row.version,
      engine: row.engine,
      jobClass: row.job_class as FleetMember['jobClass'],
      concurrency: row.concurrency,
      active: row.active,
      offers: JSON.parse(row.offers) as FleetMember['offers'],
      startedAt: row.started_at,
      beatAt: row.beat_at,
      silentMs,
      isAlive: silentMs <= at.aliveMs,
    };
  });
  return members.toSorted(
    (a, b) => Number(b.isAlive) - Number(a.isAlive) || compare(b.startedAt, a.startedAt) || compare(a.id, b.id),
  );
}
