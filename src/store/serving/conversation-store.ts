import { KitError } from '../../domain/errors.js';
import type { Conversation, ConversationStore, ConversationsOf } from '../../domain/ports/serving.js';
import {
  CANDIDATES,
  type ConversationRecord,
  conversationUnknown,
  decodeConversation,
  nextTurnNumber,
  type TurnRecord,
} from '../conversation-row.js';
import { all, get, type Program, type Programs, run, type SqlDialect } from '../program.js';
import {
  ADD_CONVERSATION,
  ADD_TURN,
  conversationIds,
  GET_CONVERSATION,
  GET_SEEN_CONVERSATION,
  GIVE_BACK,
  LAST_BEGUN_TURN,
  LAST_TURN,
  LIST_CONVERSATIONS,
  TOUCH_CONVERSATION,
  TURNS,
} from '../sql/conversations.js';

/** Conversations. Of two who take the next turn, one waits and then sees the turn of the other. */
export function createConversationStore(
  { read, write }: Programs,
  dialect: Pick<SqlDialect, 'lock' | 'pastPrefix'>,
): ConversationStore {
  const idsSql = conversationIds(dialect);
  return {
    create: ({ shared, ...conversation }) =>
      write('serving.conversation', function* (at) {
        const { id } = conversation;
        const isNew = (yield* run(ADD_CONVERSATION, { ...conversation, shared: shared ? 1 : 0, now: at() })) > 0;
        if (!isNew) throw new KitError('KIT_INTERNAL', `the conversation id ${id} is already used`, { data: { id } });
        return decodeConversation(yield* required(GET_CONVERSATION, id), []);
      }),
    get: (idOrPrefix, of) =>
      read(function* () {
        const row =
          (yield* get<ConversationRecord>(GET_SEEN_CONVERSATION, { id: idOrPrefix, of })) ??
          (yield* byPrefix(idsSql, idOrPrefix, of));
        return decodeConversation(row, yield* all<TurnRecord>(TURNS, { id: row.id }));
      }),
    list: (limit, of) =>
      read(function* () {
        const listed: (Conversation & { readonly turnCount: number })[] = [];
        for (const row of yield* all<ConversationRecord>(LIST_CONVERSATIONS, { limit, of })) {
          const last = yield* get<TurnRecord>(LAST_TURN, { id: row.id });
          // Turns are counted from 1, and none is left out.
          const turnCount = last?.n ?? 0;
          listed.push({ ...decodeConversation(row, last === undefined ? [] : [last]), turnCount });
        }
        return listed;
      }),
    begin: (id, turn) =>
      write('serving.conversation', function* (at) {
        yield* required(`${GET_CONVERSATION} ${dialect.lock}`, id);
        const now = at();
        const n = nextTurnNumber(id, yield* get<TurnRecord>(LAST_BEGUN_TURN, { id }), now);
        yield* run(ADD_TURN, { id, n, ...turn, now });
        yield* run(TOUCH_CONVERSATION, { id, now });
        return { n, ...turn, answer: null, createdAt: now, answeredAt: null };
      }),
    giveBack: (jobId) =>
      write('serving.conversation', function* () {
        yield* run(GIVE_BACK, { jobId });
      }),
  };
}

function* required(statement: string, id: string): Program<ConversationRecord> {
  const row = yield* get<ConversationRecord>(statement, { id });
  if (row === undefined) throw conversationUnknown(id);
  return row;
}

function* byPrefix(idsSql: string, prefix: string, of: ConversationsOf): Program<ConversationRecord> {
  const found = prefix === '' ? [] : yield* all<{ id: string }>(idsSql, { prefix, of, limit: CANDIDATES });
  const ids = found.map(({ id }) => id);
  const [only] = ids;
  if (only === undefined || ids.length > 1) throw conversationUnknown(prefix, ids);
  return yield* required(GET_CONVERSATION, only);
}
