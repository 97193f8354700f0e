import { IS_SEEN } from '../../sql/conversations.js';

export {
  ADD_CONVERSATION,
  ADD_TURN,
  GET_CONVERSATION,
  GET_SEEN_CONVERSATION,
  GIVE_BACK,
  LAST_TURN,
  LIST_CONVERSATIONS,
  TOUCH_CONVERSATION,
  TURNS,
} from '../../sql/conversations.js';

export const CONVERSATION_IDS = `SELECT id FROM conversations WHERE id >= @prefix AND id < CAST(@prefix AS TEXT) || chr(1114111) AND ${IS_SEEN} ORDER BY id LIMIT @limit`;

/** Of two who take the next turn, one waits and then sees the turn of the other. */
export const LOCK_CONVERSATION = 'SELECT * FROM conversations WHERE id = @id FOR NO KEY UPDATE';
