/** What the pages about memory, conversations and evals call the answers of the HTTP API. */
export type {
  WireConversation as Conversation,
  WireConversationRow as ConversationRow,
  WireEvalCase as EvalCase,
  WireEvalReport as EvalReport,
  WireEvalRow as EvalRow,
  WireMemory as MemoryRow,
  WireMemoryConfig as MemoryConfig,
  WireMemoryItem as MemoryItem,
  WireMemoryWritten as MemoryWritten,
  WireQuarantined as QuarantinedRow,
  WireTurn as Said,
} from '@kit-run/kit/wire';
