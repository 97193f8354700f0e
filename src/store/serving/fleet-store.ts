import type { FleetStore } from '../../domain/ports/fleet.js';
import { decodeFleet, FLEET_LISTED, type FleetRow, FORGOTTEN_AT_ONCE, fleetParams } from '../fleet-row.js';
import { all, type Programs, run } from '../program.js';
import { LEAVE, LIST_FLEET } from '../sql/fleet.js';

/** Heartbeat rows. `beat`: the statements of one, in the words of the dialect. */
export const createFleetStore = ({ now, read, write }: Programs, beat: readonly string[]): FleetStore => ({
  beat: (member, forgetMs) =>
    write('serving.fleet', function* (at) {
      const times = { now: at(), before: at(-forgetMs), limit: FORGOTTEN_AT_ONCE };
      for (const statement of beat) yield* run(statement, { ...fleetParams(member), ...times });
    }),
  leave: (id) =>
    write('serving.fleet', function* () {
      yield* run(LEAVE, { id });
    }),
  list: async (aliveMs) => {
    const rows = await read(() => all<FleetRow>(LIST_FLEET, { limit: FLEET_LISTED }));
    return decodeFleet(rows, { nowMs: Date.parse(await now()), aliveMs });
  },
});
