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

export const CONVERSATION_IDS = `SELECT id FROM conversations WHERE id >= @prefix AND id < @prefix || char(1114111) AND ${IS_SEEN} ORDER BY id LIMIT @limit`;
