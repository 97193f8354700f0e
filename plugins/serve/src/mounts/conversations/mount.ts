import type { Conversation } from '@kit-run/kit/command';
import { toWireConversation } from '@kit-run/kit/command';
import { defineHttpMount, type HttpMount } from '@kit-run/kit/plugin';
import { CONVERSATION, CONVERSATION_CREATED, CONVERSATIONS, toWire } from '@kit-run/kit/wire';
import { addMessageRoute, type ConversationUses } from './message-route.js';
import { readerOf } from './reader-of.js';
import { CREATE_BODY, ID_PARAM, LIST_QUERY } from './schemas.js';

/** What was said, in order; a turn whose run has no answer yet is the person's part alone. */
const turnsOf = (turns: Conversation['turns']) =>
  turns.flatMap(({ jobId, message, createdAt, answer, answeredAt }) => [
    { role: 'human' as const, content: message, timestamp: createdAt, jobId },
    ...(answer === null
      ? []
      : [{ role: 'swarm' as const, content: answer, timestamp: answeredAt ?? createdAt, jobId }]),
  ]);

const tags = ['conversations'];

const mount: HttpMount<ConversationUses> = {
  register(server, served) {
    const { app, workspace } = served;
    server.post<{ Body: { topology: string; shared: boolean } }>(
      '/conversations',
      {
        config: { tier: 'run' },
        schema: {
          summary: 'Begins a conversation with a topology.',
          tags,
          body: CREATE_BODY,
          response: { 200: CONVERSATION_CREATED },
        },
      },
      async ({ body, caller }, reply) => {
        const { id, topology, shared } = await app.conversations.create({
          workspace,
          topology: body.topology,
          by: caller.clientId,
          shared: body.shared,
        });
        reply.header('location', `/conversations/${id}`);
        return { id, topology, shared };
      },
    );
    server.get<{ Querystring: { limit: number } }>(
      '/conversations',
      {
        config: { tier: 'read' },
        schema: {
          summary: 'Conversations, newest first.',
          tags,
          querystring: LIST_QUERY,
          response: { 200: CONVERSATIONS },
        },
      },
      async ({ query, caller }) =>
        (await app.conversations.list({ workspace, limit: query.limit, reader: readerOf(caller) })).map(
          toWireConversation,
        ),
    );
    server.get<{ Params: { id: string } }>(
      '/conversations/:id',
      {
        config: { tier: 'read' },
        schema: { summary: 'A conversation with its turns.', tags, params: ID_PARAM, response: { 200: CONVERSATION } },
      },
      async ({ params, caller }) => {
        const ask = { workspace, conversation: params.id, reader: readerOf(caller) };
        const conversation = await app.conversations.get(ask);
        return toWire(CONVERSATION, { ...conversation, turns: turnsOf(conversation.turns) });
      },
    );
    addMessageRoute(server, served);
  },
};

/** Conversations. */
export const contribution = defineHttpMount({ create: () => ({ ...mount }) });
