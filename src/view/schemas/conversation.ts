// Conversations with a topology, as `GET /conversations` answers them.
import { among, arrayOf, BOOLEAN, closed, described, INTEGER, STRING, TIMESTAMP, type TypeOf } from './words.js';

export const SHARED = described(BOOLEAN, 'Open to everybody of the tier.');

const ROW = closed({
  id: STRING,
  topology: STRING,
  turns: INTEGER,
  updated: TIMESTAMP,
  last_message: described(STRING, 'First 60 characters.'),
});
export type WireConversationRow = TypeOf<typeof ROW>;
export const CONVERSATIONS = arrayOf(ROW);

const TURN = closed({
  role: among(['human', 'swarm']),
  content: STRING,
  timestamp: TIMESTAMP,
  job_id: described(STRING, 'The run of this turn.'),
});
export type WireTurn = TypeOf<typeof TURN>;

export const CONVERSATION_CREATED = closed({ id: STRING, topology: STRING, shared: SHARED });
export const CONVERSATION = closed({
  id: STRING,
  topology: STRING,
  created_by: STRING,
  shared: SHARED,
  turns: arrayOf(TURN),
  created_at: TIMESTAMP,
  updated_at: TIMESTAMP,
});
export type WireConversation = TypeOf<typeof CONVERSATION>;
