import type { ConversationsApp, SubmittedTurn } from '../app/conversations/conversations-app.js';
import type { MemoryApp } from '../app/memory/memory-app.js';
import { KitError } from '../domain/errors.js';
import type { Memory, QuarantinedMemory } from '../domain/ports/memory.js';
import type { Conversation } from '../domain/ports/serving.js';
import {
  CONVERSATION,
  CONVERSATION_CREATED,
  CONVERSATIONS,
  MEMORIES,
  type MEMORY,
  MEMORY_ITEM,
  MEMORY_WRITTEN,
  QUARANTINE,
} from '../view/schemas/memory.js';
import type { HeldOf } from '../view/schemas/words.js';
import type { RemoteContext } from './remote-context.js';

/** Memory of a server: who reads and who writes is whom the token proves. */
export function remoteMemory({ client }: RemoteContext): Omit<MemoryApp, 'config'> {
  const { http, read, readAs } = client;
  const quarantine = async (status: QuarantinedMemory['status'] | null, limit: number) => {
    const query = { status: status ?? ('all' as const), limit };
    return (await readAs(QUARANTINE, http.GET('/memory/quarantine', { params: { query } }))).quarantine;
  };
  return {
    list: async ({ query, type, limit }) => {
      // A type that is none is refused by the server, in the words of the use case.
      const params = { query: { query, limit, ...(type === null ? {} : { type: type as Memory['type'] }) } };
      return (await readAs(MEMORIES, http.GET('/memory', { params }))).memories.map(memoryOf);
    },
    item: async ({ subject, attribute }) => {
      const params = { query: { subject, attribute } };
      const { current, history } = await readAs(MEMORY_ITEM, http.GET('/memory/item', { params }));
      return current === null ? [] : [{ memory: memoryOf(current), history }];
    },
    add: async ({ memories }) => {
      const written = [];
      for (const memory of memories) {
        const answer = await readAs(MEMORY_WRITTEN, http.POST('/memory', { body: { ...memory } as never }));
        written.push({ quarantineId: null, ...answer });
      }
      return written;
    },
    quarantine: ({ status, limit }) => quarantine(status, limit),
    resolve: async ({ id, accept, comment }) => {
      const body = { accept, ...(comment === null ? {} : { comment }) };
      await read(http.POST('/memory/quarantine/{id}/resolve', { params: { path: { id } }, body: body as never }));
      const decided = (await quarantine(accept ? 'accepted' : 'rejected', 200)).find((one) => one.id.startsWith(id));
      if (decided === undefined) throw new KitError('KIT_SERVER_ANSWER', `the server does not tell of ${id} any more`);
      return decided;
    },
  };
}

/** Where an entry came from stays with the server. */
const memoryOf = (answer: HeldOf<typeof MEMORY>): Memory => ({ ...answer, id: '', session: null });

/** Conversations of a server. */
export function remoteConversations({ client }: RemoteContext): ConversationsApp {
  const { http, readAs } = client;
  // Who says what stays with the server: a command shows the turn that it takes.
  const get = async (id: string): Promise<Conversation> => {
    const answer = await readAs(CONVERSATION, http.GET('/conversations/{id}', { params: { path: { id } } }));
    return { ...answer, turns: [] };
  };
  return {
    create: async ({ topology, shared = false }) =>
      get((await readAs(CONVERSATION_CREATED, http.POST('/conversations', { body: { topology, shared } }))).id),
    list: ({ limit }) => readAs(CONVERSATIONS, http.GET('/conversations', { params: { query: { limit } } })),
    get: ({ conversation }) => get(conversation),
    send: async <T>({ conversation: id, message, submit }: Parameters<ConversationsApp['send']>[0]) => {
      const conversation = await get(id);
      // The run of the turn is followed like any other: what the answer streams is left to it.
      const jobId = await client.begin(`/conversations/${encodeURIComponent(conversation.id)}/messages`, { message });
      const turn = { id: jobId, topology: conversation.topology, input: message, conversation: [], labels: {} };
      const run = (await submit({ ...turn, correlationId: conversation.id, source: 'chat' })) as T;
      return { conversation, n: conversation.turns.length + 1, jobId, run } satisfies SubmittedTurn<T>;
    },
  };
}
