import type { SeenMember } from '../../domain/ports/fleet.js';
import { decodeFleet, FLEET_LISTED, type FleetRow } from '../fleet-row.js';
import { LIST_FLEET } from './sql/fleet.js';
import { NOW } from './sql/session.js';
import type { SqlRunner } from './sql-runner.js';

/** Who works on a database, as `FleetStore.list` tells it. */
export async function listFleet(sql: SqlRunner, aliveMs: number): Promise<readonly SeenMember[]> {
  const rows = await sql.all<FleetRow>(LIST_FLEET, { limit: FLEET_LISTED });
  const now = await sql.get<{ now: string }>(NOW);
  return decodeFleet(rows, { nowMs: Date.parse(now?.now ?? ''), aliveMs });
}
