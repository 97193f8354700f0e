import { BEAT } from '../../sql/fleet.js';

export { LEAVE, LIST_FLEET } from '../../sql/fleet.js';

/** One statement; a row that another beat is about to remove is passed over. */
export const BEAT_AND_FORGET = `
WITH forgotten AS (DELETE FROM fleet_members WHERE id IN (
  SELECT id FROM fleet_members WHERE beat_at < @before AND id <> @id ORDER BY beat_at LIMIT @limit FOR UPDATE SKIP LOCKED))
${BEAT}`;
