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
import type { PostgresDeps } from '../deps.js';
import {
  ADD_CONVERSATION,
  ADD_TURN,
  CONVERSATION_IDS,
  GET_CONVERSATION,
  GET_SEEN_CONVERSATION,
  GIVE_BACK,
  LAST_TURN,
  LIST_CONVERSATIONS,
  LOCK_CONVERSATION,
  TOUCH_CONVERSATION,
  TURNS,
} from '../sql/conversations.js';
import type { SqlRunner } from '../sql-runner.js';
import type { Transaction } from '../transaction.js';

/** Conversations in PostgreSQL; a turn is taken under the lock of its conversation's row. */
export class PostgresConversationStore implements ConversationStore {
  readonly #deps: PostgresDeps;

  constructor(deps: PostgresDeps) {
    this.#deps = deps;
  }

  create(conversation: Parameters<ConversationStore['create']>[0]): Promise<Conversation> {
    const { id } = conversation;
    return this.#write(async (tx) => {
      const isNew =
        (await tx.run(ADD_CONVERSATION, { ...conversation, shared: conversation.shared ? 1 : 0, now: tx.now })) > 0;
      if (!isNew) throw new KitError('KIT_INTERNAL', `the conversation id ${id} is already used`, { data: { id } });
      return decodeConversation(await required(tx, GET_CONVERSATION, id), []);
    });
  }

  get(idOrPrefix: string, of: ConversationsOf): Promise<Conversation> {
    return this.#deps.read(async (sql) => {
      const row =
        (await sql.get<ConversationRecord>(GET_SEEN_CONVERSATION, { id: idOrPrefix, of })) ??
        (await byPrefix(sql, idOrPrefix, of));
      return decodeConversation(row, await sql.all<TurnRecord>(TURNS, { id: row.id }));
    });
  }

  list(limit: number, of: ConversationsOf): Promise<readonly (Conversation & { readonly turnCount: number })[]> {
    return this.#deps.read(async (sql) => {
      const listed: (Conversation & { readonly turnCount: number })[] = [];
      for (const row of await sql.all<ListedRecord>(LIST_CONVERSATIONS, { limit, of })) {
        const last = await sql.get<TurnRecord>(LAST_TURN, { id: row.id });
        listed.push({ ...decodeConversation(row, last === undefined ? [] : [last]), turnCount: row.turns });
      }
      return listed;
    });
  }

  begin(id: string, turn: { readonly jobId: string; readonly message: string }): Promise<ConversationTurn> {
    return this.#write(async (tx) => {
      await required(tx, LOCK_CONVERSATION, id);
      const n = nextTurnNumber(id, await tx.get<TurnRecord>(LAST_TURN, { id }), tx.now);
      await tx.run(ADD_TURN, { id, n, ...turn, now: tx.now });
      await tx.run(TOUCH_CONVERSATION, { id, now: tx.now });
      return { n, ...turn, answer: null, createdAt: tx.now, answeredAt: null };
    });
  }

  async giveBack(jobId: string): Promise<void> {
    await this.#write((tx) => tx.run(GIVE_BACK, { jobId }));
  }

  #write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#deps.queue.run({ writes: ['serving.conversation'], jobs: [], work });
  }
}

async function required(
  sql: Pick<SqlRunner, 'get'> | Transaction,
  statement: string,
  id: string,
): Promise<ConversationRecord> {
  const row = await sql.get<ConversationRecord>(statement, { id });
  if (row === undefined) throw conversationUnknown(id);
  return row;
}

async function byPrefix(sql: SqlRunner, prefix: string, of: ConversationsOf): Promise<ConversationRecord> {
  const found = prefix === '' ? [] : await sql.all<{ id: string }>(CONVERSATION_IDS, { prefix, of, limit: CANDIDATES });
  const ids = found.map(({ id }) => id);
  const [only] = ids;
  if (only === undefined || ids.length > 1) throw conversationUnknown(prefix, ids);
  return required(sql, GET_CONVERSATION, only);
}
