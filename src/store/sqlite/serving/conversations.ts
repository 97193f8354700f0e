import { KitError } from '../../../domain/errors.js';
import type {
  Conversation,
  ConversationStore,
  ConversationsOf,
  ConversationTurn,
} from '../../../domain/ports/serving.js';
import {
  CANDIDATES,
  type ConversationRecord,
  conversationUnknown,
  decodeConversation,
  type ListedRecord,
  nextTurnNumber,
  type TurnRecord,
} from '../../conversation-row.js';
import { isoAt, type SqliteDeps } from '../deps.js';
import {
  ADD_CONVERSATION,
  ADD_TURN,
  CONVERSATION_IDS,
  GET_CONVERSATION,
  GET_SEEN_CONVERSATION,
  GIVE_BACK,
  LAST_TURN,
  LIST_CONVERSATIONS,
  TOUCH_CONVERSATION,
  TURNS,
} from '../sql/conversations.js';
import type { SqlRunner } from '../sql-runner.js';

/** Conversations in SQLite. Whoever holds the write lock of the file holds every conversation. */
export class SqliteConversationStore implements ConversationStore {
  readonly #deps: SqliteDeps;

  constructor(deps: SqliteDeps) {
    this.#deps = deps;
  }

  create(conversation: Parameters<ConversationStore['create']>[0]): Promise<Conversation> {
    const { id } = conversation;
    return this.#deps.queue.run(['serving.conversation'], (sql) => {
      const isNew =
        sql.run(ADD_CONVERSATION, { ...conversation, shared: conversation.shared ? 1 : 0, now: this.#now() }) > 0;
      if (!isNew) throw new KitError('KIT_INTERNAL', `the conversation id ${id} is already used`, { data: { id } });
      return decodeConversation(required(sql, id), []);
    });
  }

  get(idOrPrefix: string, of: ConversationsOf): Promise<Conversation> {
    return this.#deps.read((sql) => {
      const row =
        sql.get<ConversationRecord>(GET_SEEN_CONVERSATION, { id: idOrPrefix, of }) ?? byPrefix(sql, idOrPrefix, of);
      return decodeConversation(row, sql.all<TurnRecord>(TURNS, { id: row.id }));
    });
  }

  list(limit: number, of: ConversationsOf): Promise<readonly (Conversation & { readonly turnCount: number })[]> {
    return this.#deps.read((sql) =>
      sql.all<ListedRecord>(LIST_CONVERSATIONS, { limit, of }).map((row) => {
        const last = sql.get<TurnRecord>(LAST_TURN, { id: row.id });
        return { ...decodeConversation(row, last === undefined ? [] : [last]), turnCount: row.turns };
      }),
    );
  }

  begin(id: string, turn: { readonly jobId: string; readonly message: string }): Promise<ConversationTurn> {
    return this.#deps.queue.run(['serving.conversation'], (sql) => {
      required(sql, id);
      const now = this.#now();
      const n = nextTurnNumber(id, sql.get<TurnRecord>(LAST_TURN, { id }), now);
      sql.run(ADD_TURN, { id, n, ...turn, now });
      sql.run(TOUCH_CONVERSATION, { id, now });
      return { n, ...turn, answer: null, createdAt: now, answeredAt: null };
    });
  }

  giveBack(jobId: string): Promise<void> {
    return this.#deps.queue.run(['serving.conversation'], (sql) => {
      sql.run(GIVE_BACK, { jobId });
    });
  }

  #now(): string {
    return isoAt(this.#deps.clock.now());
  }
}

function required(sql: SqlRunner, id: string): ConversationRecord {
  const row = sql.get<ConversationRecord>(GET_CONVERSATION, { id });
  if (row === undefined) throw conversationUnknown(id);
  return row;
}

function byPrefix(sql: SqlRunner, prefix: string, of: ConversationsOf): ConversationRecord {
  const ids =
    prefix === ''
      ? []
      : sql.all<{ id: string }>(CONVERSATION_IDS, { prefix, of, limit: CANDIDATES }).map(({ id }) => id);
  const [only] = ids;
  if (only === undefined || ids.length > 1) throw conversationUnknown(prefix, ids);
  return required(sql, only);
}
