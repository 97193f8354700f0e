import type { WireConversationRow } from './schemas/conversation.js';

/** What a list shows of a conversation. */
export interface ConversationSummary {
  readonly id: string;
  readonly topology: string;
  readonly turnCount: number;
  /** ISO 8601. */
  readonly updatedAt: string;
  /** First 60 characters of the newest message; '' before the first. */
  readonly lastMessage: string;
}

/** A conversation in a list, as every door shows it. */
export const toWireConversation = ({
  id,
  topology,
  turnCount,
  updatedAt,
  lastMessage,
}: ConversationSummary): WireConversationRow => ({
  id,
  topology,
  turns: turnCount,
  updated: updatedAt,
  last_message: lastMessage,
});
