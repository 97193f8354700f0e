import type { FleetMember, FleetStore, SeenMember } from '../../../domain/ports/fleet.js';
import { decodeFleet, FLEET_LISTED, type FleetRow, FORGOTTEN_AT_ONCE, fleetParams } from '../../fleet-row.js';
import type { PostgresDeps } from '../deps.js';
import { BEAT_AND_FORGET, LEAVE, LIST_FLEET } from '../sql/fleet.js';
import { NOW } from '../sql/session.js';
import type { Transaction } from '../transaction.js';

/** Heartbeat rows in PostgreSQL: of the processes of any number of machines. */
export class PostgresFleetStore implements FleetStore {
  readonly #deps: PostgresDeps;

  constructor(deps: PostgresDeps) {
    this.#deps = deps;
  }

  async beat(member: FleetMember, forgetMs: number): Promise<void> {
    const work = (tx: Transaction): Promise<number> =>
      tx.run(BEAT_AND_FORGET, { ...fleetParams(member), now: tx.now, before: tx.nowPlus(-forgetMs), limit: FORGOTTEN_AT_ONCE });
    await this.#deps.queue.run({ writes: ['serving.fleet'], jobs: [], work });
  }

  async leave(id: string): Promise<void> {
    await this.#deps.queue.run({ writes: ['serving.fleet'], jobs: [], work: (tx) => tx.run(LEAVE, { id }) });
  }

  async list(aliveMs: number): Promise<readonly SeenMember[]> {
    return this.#deps.read(async (sql) => {
      const rows = await sql.all<FleetRow>(LIST_FLEET, { limit: FLEET_LISTED });
      const now = await sql.get<{ now: string }>(NOW);
      return decodeFleet(rows, { nowMs: Date.parse(now?.now ?? ''), aliveMs });
    });
  }
}
