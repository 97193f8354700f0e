import type { ServingStore } from '../../../domain/ports/serving.js';
import { SQLITE_DIALECT } from '../../program.js';
import { createServing } from '../../serving/create-serving.js';
import { BEAT } from '../../sql/fleet.js';
import type { SqliteDeps } from '../deps.js';
import { sqlitePrograms } from '../programs.js';
import * as queue from '../sql/queue.js';
import * as usage from '../sql/usage.js';
import { COUNT_WAITING } from '../sql/waiting.js';
import { waitingKinds, waitingNeeds } from '../waiting-needs.js';

/** A few with every beat: more go than come, and no write is long. */
const FORGET =
  'DELETE FROM fleet_members WHERE id IN (SELECT id FROM fleet_members WHERE beat_at < @before ORDER BY beat_at LIMIT @limit)';

/** What servers keep, in SQLite: fleet rows are those of the processes of one machine. */
export const createSqliteServing = (deps: SqliteDeps): ServingStore =>
  createServing(sqlitePrograms(deps), {
    dialect: SQLITE_DIALECT,
    beat: [BEAT, FORGET],
    queue,
    kinds: waitingKinds,
    needs: waitingNeeds,
    countWaiting: COUNT_WAITING,
    usage,
  });
