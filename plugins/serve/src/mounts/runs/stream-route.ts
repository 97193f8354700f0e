import { type JobsApp, KitError, type StreamItem, sendStream } from '@kit-run/kit/command';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { JOB_PARAMS } from './job-schemas.js';
import { createFrames, type FrameFormat } from './sse-frames.js';

interface StreamRoute {
  readonly Params: { readonly id: string };
  readonly Querystring: { readonly format?: FrameFormat };
}

export interface StreamUses {
  readonly jobs: JobsApp;
  readonly workspace: string;
  /** The server shuts down: every stream ends, and its reader comes back elsewhere. */
  readonly closing: AbortSignal;
}

/** `GET /jobs/{id}/stream` (docs/jobs.md#following). */
export function addStreamRoute(server: FastifyInstance, { jobs, workspace, closing }: StreamUses): void {
  const frameOf = { text: createFrames('text'), json: createFrames('json'), event: createFrames('event') };
  server.get<StreamRoute>(
    '/jobs/:id/stream',
    {
      exposeHeadRoute: false,
      config: { tier: 'read', mayAnswer: [503] },
      schema: {
        summary: 'Follows a run until it has ended or waits for people.',
        params: JOB_PARAMS,
        querystring: {
          type: 'object',
          properties: { format: { type: 'string', enum: ['text', 'json', 'event'], default: 'text' } },
        },
        headers: {
          type: 'object',
          properties: { 'last-event-id': { type: 'string', description: 'The `id` of the last frame that was read.' } },
        },
        response: {
          200: { description: 'Server-sent events.', content: { 'text/event-stream': { schema: { type: 'string' } } } },
        },
      },
    },
    async (request, reply) => {
      const over = new AbortController();
      const signal = AbortSignal.any([over.signal, closing]);
      const items: AsyncIterable<StreamItem> = await jobs.stream({
        workspace,
        job: request.params.id,
        afterSeq: afterSeqOf(request),
        signal,
      });
      const { format = 'text' } = request.query;
      const { log } = server.serving;
      return sendStream(request, reply, { items, frameOf: frameOf[format], signal, over, job: request.params.id, log });
    },
  );
}

/**
 * What a reader has seen. Anything but a number of a frame is a mistake that would otherwise show
 * as lines that are missing.
 */
function afterSeqOf({ headers }: FastifyRequest<StreamRoute>): number {
  const last = headers['last-event-id'];
  if (last === undefined || last === '') return 0;
  if (typeof last === 'string' && /^\d{1,15}$/.test(last)) return Number(last);
  const pointer = '/headers/last-event-id';
  throw new KitError('KIT_REQUEST_INVALID', `${pointer} is not an id of a frame`, {
    data: { errors: [{ pointer, message: 'is not an id of a frame', code: 'value' }] },
  });
}
