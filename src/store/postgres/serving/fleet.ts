import type { FleetMember, FleetStore, SeenMember } from '../../../domain/ports/fleet.js';
import { FORGOTTEN_AT_ONCE, fleetParams } from '../../fleet-row.js';
import type { PostgresDeps } from '../deps.js';
import { listFleet } from '../list-fleet.js';
import { BEAT_AND_FORGET, LEAVE } from '../sql/fleet.js';
import type { Transaction } from '../transaction.js';

/** Heartbeat rows in PostgreSQL: of the processes of any number of machines. */
export class PostgresFleetStore implements FleetStore {
  readonly #deps: PostgresDeps;

  constructor(deps: PostgresDeps) {
    this.#deps = deps;
  }

  async beat(member: FleetMember, forgetMs: number): Promise<void> {
    const work = (tx: Transaction): Promise<number> =>
      tx.run(BEAT_AND_FORGET, {
        ...fleetParams(member),
        now: tx.now,
        before: tx.nowPlus(-forgetMs),
        limit: FORGOTTEN_AT_ONCE,
      });
    await this.#deps.queue.run({ writes: ['serving.fleet'], jobs: [], work });
  }

  async leave(id: string): Promise<void> {
    await this.#deps.queue.run({ writes: ['serving.fleet'], jobs: [], work: (tx) => tx.run(LEAVE, { id }) });
  }

  async list(aliveMs: number): Promise<readonly SeenMember[]> {
    return this.#deps.read((sql) => listFleet(sql, aliveMs));
  }
}
