export { BEAT, LEAVE, LIST_FLEET } from '../../sql/fleet.js';

/** A few with every beat: more go than come, and no write is long. */
export const FORGET =
  'DELETE FROM fleet_members WHERE id IN (SELECT id FROM fleet_members WHERE beat_at < @before ORDER BY beat_at LIMIT @limit)';
