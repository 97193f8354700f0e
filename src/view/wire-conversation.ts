import type { WireConversationRow } from './schemas/conversation.js';

/** What a list shows of a conversation. */
export interface ConversationLine {
  readonly id: string;
  readonly topology: string;
  readonly turnCount: number;
  /** ISO 8601. */
  readonly updatedAt: string;
  /** First characters of the newest message. */
  readonly lastMessage: string;
}

/** A conversation in a list, as every door shows it. */
export const toWireConversation = ({
  id,
  topology,
  turnCount,
  updatedAt,
  lastMessage,
}: ConversationLine): WireConversationRow => ({
  id,
  topology,
  turns: turnCount,
  updated: updatedAt,
  last_message: lastMessage,
});
