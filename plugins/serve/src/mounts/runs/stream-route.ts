import { Readable } from 'node:stream';
import { type JobsApp, KitError, type StreamItem } from '@kit-run/kit/command';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { JOB_PARAMS } from './job-schemas.js';
import { createFrames, FIRST_FRAME, type FrameFormat } from './sse-frames.js';
import { sseBytes } from './sse-stream.js';

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

/** Bytes that wait for one reader at most, beside what its socket holds. */
const MAX_WAITING_BYTES = 64 * 1024;

/** `GET /jobs/{id}/stream` (gaps D8, D9). */
export function addStreamRoute(server: FastifyInstance, { jobs, workspace, closing }: StreamUses): void {
  const frameOf = { text: createFrames('text'), json: createFrames('json') };
  server.get<StreamRoute>(
    '/jobs/:id/stream',
    {
      exposeHeadRoute: false,
      config: { tier: 'read', mayAnswer: [503] },
      schema: {
        summary: 'Follows a run until it has ended or waits for people.',
        params: JOB_PARAMS,
        querystring: { type: 'object', properties: { format: { type: 'string', enum: ['text', 'json'], default: 'text' } } },
        headers: { type: 'object', properties: { 'last-event-id': { type: 'string', description: 'The `id` of the last frame that was read.' } } },
        response: { 200: { description: 'Server-sent events.', content: { 'text/event-stream': { schema: { type: 'string' } } } } },
      },
    },
    async (request, reply) => {
      const over = new AbortController();
      const signal = AbortSignal.any([over.signal, closing]);
      const items: AsyncIterable<StreamItem> = await jobs.stream({ workspace, job: request.params.id, afterSeq: afterSeqOf(request), signal });
      const { format = 'text' } = request.query;
      const bytes = sseBytes({ items, frameOf: frameOf[format], first: FIRST_FRAME, signal, onStalled: () => drop(request, stream) });
      const stream = Readable.from(bytes, { objectMode: false, highWaterMark: MAX_WAITING_BYTES });
      // The stream itself closes only when its source has ended, which waits for this.
      reply.raw.once('close', () => over.abort('closed'));
      return reply.type('text/event-stream').header('cache-control', 'no-cache').header('x-accel-buffering', 'no').send(stream);
    },
  );
}

function drop(request: FastifyRequest<StreamRoute>, stream: Readable): void {
  request.server.serving.log.warn('a stream was dropped: its reader does not read', { request_id: request.id, job: request.params.id });
  stream.destroy();
  request.raw.socket.destroy();
}

/** What a reader has seen. Anything but a number of a frame is a mistake that would otherwise show as lines that are missing. */
function afterSeqOf({ headers }: FastifyRequest<StreamRoute>): number {
  const last = headers['last-event-id'];
  if (last === undefined || last === '') return 0;
  if (typeof last === 'string' && /^\d{1,15}$/.test(last)) return Number(last);
  const pointer = '/headers/last-event-id';
  throw new KitError('KIT_REQUEST_INVALID', `${pointer} is no id of a frame`, {
    data: { errors: [{ pointer, message: 'is no id of a frame', code: 'value' }] },
  });
}
