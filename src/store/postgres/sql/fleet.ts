import { BEAT } from '../../sql/fleet.js';

export { LEAVE, LIST_FLEET } from '../../sql/fleet.js';

/** A schema of before the fleet has no such table. */
export const FIND_FLEET_TABLE =
  "SELECT 1 AS found FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'fleet_members'";

/** One statement; a row that another beat is about to remove is passed over. */
export const BEAT_AND_FORGET = `
WITH forgotten AS (DELETE FROM fleet_members WHERE id IN (
  SELECT id FROM fleet_members WHERE beat_at < @before AND id <> @id ORDER BY beat_at LIMIT @limit FOR UPDATE SKIP LOCKED))
${BEAT}`;
