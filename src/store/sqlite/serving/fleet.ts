import type { FleetMember, FleetStore, SeenMember } from '../../../domain/ports/fleet.js';
import { decodeFleet, FLEET_LISTED, type FleetRow, FORGOTTEN_AT_ONCE, fleetParams } from '../../fleet-row.js';
import { isoAt, type SqliteDeps } from '../deps.js';
import { BEAT, FORGET, LEAVE, LIST_FLEET } from '../sql/fleet.js';

/** Heartbeat rows in SQLite: of the processes of one machine. */
export class SqliteFleetStore implements FleetStore {
  readonly #deps: SqliteDeps;

  constructor(deps: SqliteDeps) {
    this.#deps = deps;
  }

  beat(member: FleetMember, forgetMs: number): Promise<void> {
    const { queue, clock } = this.#deps;
    return queue.run(['serving.fleet'], (sql) => {
      const nowMs = clock.now();
      sql.run(BEAT, { ...fleetParams(member), now: isoAt(nowMs) });
      sql.run(FORGET, { before: isoAt(nowMs - forgetMs), limit: FORGOTTEN_AT_ONCE });
    });
  }

  leave(id: string): Promise<void> {
    return this.#deps.queue.run(['serving.fleet'], (sql) => {
      sql.run(LEAVE, { id });
    });
  }

  list(aliveMs: number): Promise<readonly SeenMember[]> {
    const { read, clock } = this.#deps;
    return read((sql) =>
      decodeFleet(sql.all<FleetRow>(LIST_FLEET, { limit: FLEET_LISTED }), { nowMs: clock.now(), aliveMs }),
    );
  }
}
