import { type App, type JobsApp, misfitsAt, type StreamItem, sendStream, toWireJob } from '@kit-run/kit/command';
import { type Served, submitterOf } from '@kit-run/kit/plugin';
import type { FastifyInstance } from 'fastify';
import { traceOf } from '../shared/trace-of.js';
import { readerOf } from './reader-of.js';
import { FRAME, ID_PARAM, MESSAGE_BODY, type TurnFrame } from './schemas.js';

/** One turn whose run was submitted. */
interface RunningTurn {
  readonly workspace: string;
  readonly conversation: string;
  readonly n: number;
  readonly job: string;
}

/** The stream of a run in the frames of a conversation; the last tells what came of it. */
async function* turnFrames(
  jobs: JobsApp,
  items: AsyncIterable<StreamItem>,
  turn: RunningTurn,
): AsyncGenerator<TurnFrame> {
  for await (const item of items) {
    if (item.kind === 'end') {
      yield await lastFrame(jobs, turn);
      return;
    }
    const { seq, timestamp, type, agentId, text } = item;
    yield { type: 'progress', seq, timestamp, event_type: type, agent_id: agentId, text };
  }
}

/** A parked turn is answered when its run completes: the row tells which it is. */
async function lastFrame(jobs: JobsApp, { workspace, conversation, n, job: id }: RunningTurn): Promise<TurnFrame> {
  const job = await jobs.get({ workspace, job: id });
  const { status, reason, waitingOn } = job;
  const error = job.error ?? `the run is ${status}`;
  if (status === 'completed')
    return {
      type: 'done',
      job_id: id,
      conversation_id: conversation,
      turns: n,
      output: job.output ?? '',
      usage: toWireJob(job).usage,
    };
  if (status === 'deferred')
    return { type: 'deferred', job_id: id, gate_id: waitingOn[0] ?? '', waiting_on: waitingOn, error };
  return { type: 'error', job_id: id, status, reason, error };
}

const frameBytes = (frame: TurnFrame): Buffer => Buffer.from(`data: ${JSON.stringify(frame)}\n\n`);

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
