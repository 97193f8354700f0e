import type { ServingStore } from '../../../domain/ports/serving.js';
import { all, POSTGRES_DIALECT } from '../../program.js';
import { createServing } from '../../serving/create-serving.js';
import { BEAT } from '../../sql/fleet.js';
import { KINDS_LISTED, type KindRow, type NeedsRow } from '../../waiting-kind.js';
import type { PostgresDeps } from '../deps.js';
import { postgresPrograms } from '../programs.js';
import { WAITING_NEEDS } from '../sql/jobs.js';
import * as queue from '../sql/queue.js';
import * as usage from '../sql/usage.js';
import { COUNT_WAITING, WAITING_KINDS } from '../sql/waiting.js';

/** One statement; a row that another beat is about to remove is passed over. */
const BEAT_AND_FORGET = `
WITH forgotten AS (DELETE FROM fleet_members WHERE id IN (
  SELECT id FROM fleet_members WHERE beat_at < @before AND id <> @id ORDER BY beat_at LIMIT @limit FOR UPDATE SKIP LOCKED))
${BEAT}`;

/** What servers keep, in PostgreSQL: fleet rows are those of the processes of any machines. */
export const createPostgresServing = (deps: PostgresDeps): ServingStore =>
  createServing(postgresPrograms(deps), {
    dialect: POSTGRES_DIALECT,
    beat: [BEAT_AND_FORGET],
    queue,
    kinds: () => all<KindRow>(WAITING_KINDS, { limit: KINDS_LISTED }),
    needs: () => all<NeedsRow>(WAITING_NEEDS, {}),
    countWaiting: COUNT_WAITING,
    usage,
  });
