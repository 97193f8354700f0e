import { type App, misfitsAt, sendStream } from '@kit-run/kit/command';
import { type Served, submitterOf } from '@kit-run/kit/plugin';
import type { FastifyInstance } from 'fastify';
import { traceOf } from '../shared/trace-of.js';
import { readerOf } from './reader-of.js';
import { FRAME, ID_PARAM, MESSAGE_BODY } from './schemas.js';
import { frameBytes, turnFrames } from './turn-frames.js';

export type ConversationUses = Pick<App, 'conversations' | 'serve' | 'jobs'>;

interface MessageRoute {
  readonly Params: { readonly id: string };
  readonly Body: { readonly message: string };
}

/** `POST /conversations/{id}/messages`: one turn, from the same submit as every run. */
export function addMessageRoute(server: FastifyInstance, { app, workspace, closing }: Served<ConversationUses>): void {
  server.post<MessageRoute>(
    '/conversations/:id/messages',
    {
      config: { tier: 'run', mayAnswer: [409, 429, 503] },
      schema: {
        summary: 'Says something, and streams what comes of it.',
        tags: ['conversations'],
        params: ID_PARAM,
        body: MESSAGE_BODY,
        response: { 200: FRAME },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request;
      const turn = await app.conversations
        .send({
          workspace,
          conversation: params.id,
          message: body.message,
          reader: readerOf(caller),
          submit: (run) =>
            app.serve.submit({
              ...run,
              workspace,
              attachments: [],
              supersedes: null,
              submittedBy: submitterOf(caller),
              once: null,
              ...traceOf(request.headers),
            }),
        })
        .catch(misfitsAt('/body/message'));
      const over = new AbortController();
      const signal = AbortSignal.any([over.signal, closing]);
      const running = { workspace, conversation: turn.conversation.id, n: turn.n, job: turn.jobId };
      const lines = await app.jobs.stream({ workspace, job: turn.jobId, afterSeq: 0, signal });
      reply.header('location', `/jobs/${turn.jobId}`);
      return sendStream(request, reply, {
        items: turnFrames(app.jobs, lines, running),
        frameOf: frameBytes,
        signal,
        over,
        job: turn.jobId,
        log: server.serving.log,
      });
    },
  );
}
