import type { ConversationsApp, SubmittedTurn } from '../app/conversations/conversations-app.js';
import type { MemoryApp } from '../app/memory/memory-app.js';
import { KitError } from '../domain/errors.js';
import type { Memory, MemoryOp, QuarantinedMemory } from '../domain/ports/memory.js';
import type { Conversation } from '../domain/ports/serving.js';
import {
  type Fields,
  fieldsOf,
  isTrueAt,
  listOf,
  maybeObjectAt,
  maybeTextAt,
  numberAt,
  objectsAt,
  textAt,
} from '../lib/read-json.js';
import type { RemoteContext } from './remote-context.js';

/** Memory of a server: who reads and who writes is whom the token proves. */
export function remoteMemory({ client }: RemoteContext): Omit<MemoryApp, 'config'> {
  const { http, read } = client;
  const quarantine = async (status: QuarantinedMemory['status'] | null, limit: number) => {
    const query = { status: status ?? ('all' as const), limit };
    const fields = fieldsOf(await read(http.GET('/memory/quarantine', { params: { query } })));
    return objectsAt(fields, 'quarantine').map(quarantinedOf);
  };
  return {
    list: async ({ query, type, limit }) => {
      // A type that is none is refused by the server, in the words of the use case.
      const params = { query: { query, limit, ...(type === null ? {} : { type: type as Memory['type'] }) } };
      return objectsAt(fieldsOf(await read(http.GET('/memory', { params }))), 'memories').map(memoryOf);
    },
    item: async ({ subject, attribute }) => {
      const fields = fieldsOf(await read(http.GET('/memory/item', { params: { query: { subject, attribute } } })));
      const current = maybeObjectAt(fields, 'current');
      if (current === null) return [];
      const history = objectsAt(fields, 'history').map((change) => ({
        op: textAt(change, 'op') as MemoryOp,
        before: maybeTextAt(change, 'before'),
        after: textAt(change, 'after'),
        reason: textAt(change, 'reason'),
        decidedBy: textAt(change, 'decided_by'),
        at: textAt(change, 'timestamp'),
      }));
      return [{ memory: memoryOf(current), history }];
    },
    add: async ({ memories }) => {
      const written = [];
      for (const memory of memories) {
        const fields = fieldsOf(await read(http.POST('/memory', { body: { ...memory } as never })));
        written.push({
          op: textAt(fields, 'op') as MemoryOp,
          key: textAt(fields, 'key'),
          changed: isTrueAt(fields, 'changed'),
          quarantineId: maybeTextAt(fields, 'quarantine_id'),
        });
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

const memoryOf = (fields: Fields): Memory => ({
  id: '',
  subject: textAt(fields, 'subject'),
  attribute: textAt(fields, 'attribute'),
  value: textAt(fields, 'value'),
  type: textAt(fields, 'type') as Memory['type'],
  confidence: numberAt(fields, 'confidence'),
  origin: textAt(fields, 'origin') as Memory['origin'],
  owner: textAt(fields, 'owner'),
  source: textAt(fields, 'source'),
  session: null,
  jobId: maybeTextAt(fields, 'job_id'),
  validFrom: textAt(fields, 'valid_from'),
  reinforcedAt: textAt(fields, 'last_reinforced_at'),
  reinforceCount: numberAt(fields, 'reinforce_count'),
});

function quarantinedOf(fields: Fields): QuarantinedMemory {
  const candidate = fieldsOf(fields.candidate);
  return {
    id: textAt(fields, 'id'),
    origin: fields.origin === 'automatic' ? 'automatic' : 'person',
    owner: textAt(fields, 'owner'),
    candidate: {
      subject: textAt(candidate, 'subject'),
      attribute: textAt(candidate, 'attribute'),
      value: textAt(candidate, 'value'),
      type: textAt(candidate, 'type') as Memory['type'],
      confidence: numberAt(candidate, 'confidence'),
      source: textAt(candidate, 'source'),
      relation: maybeTextAt(candidate, 'relation') as 'replaces' | 'refines' | null,
    },
    currentValue: textAt(fields, 'current_value'),
    reason: textAt(fields, 'reasoning'),
    status: textAt(fields, 'status') as QuarantinedMemory['status'],
    createdAt: textAt(fields, 'created_at'),
    resolvedAt: maybeTextAt(fields, 'resolved_at'),
    resolvedBy: maybeTextAt(fields, 'resolved_by'),
    comment: maybeTextAt(fields, 'comment'),
  };
}

/** Conversations of a server. */
export function remoteConversations({ client }: RemoteContext): ConversationsApp {
  const { http, read } = client;
  const get = async (id: string): Promise<Conversation> =>
    conversationOf(await read(http.GET('/conversations/{id}', { params: { path: { id } } })));
  return {
    create: async ({ topology, shared = false }) =>
      get(textAt(fieldsOf(await read(http.POST('/conversations', { body: { topology, shared } }))), 'id')),
    list: async ({ limit }) =>
      listOf(await read(http.GET('/conversations', { params: { query: { limit } } }))).map((value) => {
        const line = fieldsOf(value);
        return {
          id: textAt(line, 'id'),
          topology: textAt(line, 'topology'),
          turnCount: numberAt(line, 'turns'),
          updatedAt: textAt(line, 'updated'),
          lastMessage: textAt(line, 'last_message'),
        };
      }),
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

/** Who says what stays with the server: a command shows the turn that it takes. */
function conversationOf(value: unknown): Conversation {
  const fields = fieldsOf(value);
  return {
    id: textAt(fields, 'id'),
    topology: textAt(fields, 'topology'),
    createdBy: textAt(fields, 'created_by'),
    shared: isTrueAt(fields, 'shared'),
    createdAt: textAt(fields, 'created_at'),
    updatedAt: textAt(fields, 'updated_at'),
    turns: [],
  };
}
