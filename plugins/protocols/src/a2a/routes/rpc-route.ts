import { sendStream } from '@kit-run/kit/command';
import { isKitError, type Json, type JsonObject, type Log } from '@kit-run/kit/plugin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failureOf, RpcFailure, wireError } from '../rpc/failure.js';
import { type A2aVersion, versionAsked, versionOf } from '../rpc/protocol.js';
import { callOf, idOf, type RpcId } from '../rpc/request.js';
import { wireOf } from '../wire/versions.js';
import { answerCall } from './answer.js';
import { followTask, type NumberedFrame } from './follow.js';
import { taskReader } from './task-reader.js';
import { type A2aParts, reachedBy } from './uses.js';

/** As many bytes as `POST /run` takes. */
const BODY_BYTES = 64 * 1024 * 1024;

const ENVELOPE = {
  description: 'A JSON-RPC response; a streaming method answers with one a server-sent event.',
  content: {
    'application/json': { schema: { type: 'object', additionalProperties: true } },
    'text/event-stream': { schema: { type: 'string' } },
  },
} as const;

const ROUTES = [
  ['/a2a', 'Takes a JSON-RPC call of A2A; the message names its topology.'],
  ['/a2a/:topology', 'Takes a JSON-RPC call of A2A for one topology.'],
] as const;

interface RpcRoute {
  readonly Params: { readonly topology?: string };
  readonly Body: Json | undefined;
}

/** `POST /a2a` and `POST /a2a/{topology}` (docs/a2a.md). Refusals of a call travel on 200. */
export function addRpcRoutes(server: FastifyInstance, parts: A2aParts & { readonly log: Log }): void {
  for (const [url, summary] of ROUTES)
    server.post<RpcRoute>(
      url,
      {
        bodyLimit: BODY_BYTES,
        config: { tier: 'run', mayAnswer: [503], summary },
        schema: {
          ...(url === '/a2a' ? {} : { params: TOPOLOGY_PARAM }),
          headers: {
            type: 'object',
            properties: { 'a2a-version': { type: 'string', description: '0.3 (when absent) or 1.0.' } },
          },
          response: { 200: ENVELOPE },
        },
        errorHandler: (error, request, reply) => {
          void bodyRefused(error, request, reply);
        },
      },
      async (request, reply) => answer(request, reply, parts),
    );
}

const TOPOLOGY_PARAM = {
  type: 'object',
  required: ['topology'],
  properties: { topology: { type: 'string', description: 'A name without a version.' } },
} as const;

function refuse(
  reply: FastifyReply,
  of: { readonly version: A2aVersion; readonly id: RpcId; readonly failure: RpcFailure },
) {
  return send(reply, { jsonrpc: '2.0', id: of.id, error: wireError(of.version, of.failure) });
}

const send = (reply: FastifyReply, body: JsonObject): FastifyReply =>
  reply.code(200).type('application/json').serializer(JSON.stringify).send(body);

/** A body that is not JSON, in the words of the protocol; everything else stays a problem. */
function bodyRefused(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isText = isKitError(error)
    ? error.code === 'KIT_REQUEST_MALFORMED'
    : typeof error === 'object' && error !== null && 'statusCode' in error && error.statusCode === 400;
  if (!isText) throw error;
  const failure = new RpcFailure(-32700, 'the body is not JSON');
  return refuse(reply, { version: versionAsked(request), id: null, failure });
}

async function answer(
  request: FastifyRequest<RpcRoute>,
  reply: FastifyReply,
  parts: A2aParts & { readonly log: Log },
): Promise<FastifyReply> {
  const { topology: path = null } = request.params;
  const reached = await reachedBy(parts, request, path);
  const id = idOf(request.body);
  const version = versionAsked(request);
  const over = new AbortController();
  reply.raw.once('close', () => over.abort('closed'));
  const reader = taskReader(parts, reached.base);
  try {
    const call = callOf(request.body);
    if (versionOf(request.headers['a2a-version']) === null)
      throw new RpcFailure(-32009, 'A2A-Version names a version that is not spoken here; 1.0 and 0.3 are');
    const { accept = '', traceparent } = request.headers;
    const answered = await answerCall(parts, {
      ...{ call, version, caller: request.caller, reached, path, reader, gone: over.signal },
      takesStream: accept.includes('text/event-stream'),
      traceParent: typeof traceparent === 'string' ? traceparent : undefined,
    });
    if (answered.kind === 'result') return send(reply, { jsonrpc: '2.0', id, result: answered.result });
    const signal = AbortSignal.any([over.signal, parts.closing]);
    const { following } = answered;
    return sendStream(request, reply, {
      items: followTask(parts, { ...following, reader, signal, afterSeq: lastSeen(request) }),
      frameOf: (numbered) => frameBytes(numbered, { id, version }),
      ...{ signal, over, job: following.job.id, log: parts.log },
    });
  } catch (error) {
    return refuse(reply, { version, id, failure: rpcFailureOf(error, request, parts.log) });
  }
}

/**
 * A defect is logged, and nothing of it is told. A server that is not ready says so as it always
 * does.
 */
function rpcFailureOf(error: unknown, request: FastifyRequest, log: Log): RpcFailure {
  if (isKitError(error) && error.code === 'KIT_NOT_READY') throw error;
  const failure = failureOf(error);
  if (failure !== null) return failure;
  log.error('a call of A2A failed', { request_id: request.id, error });
  return new RpcFailure(-32603, 'the server failed to answer', { request_id: String(request.id) });
}

/**
 * Whoever was cut off goes on behind the last frame that was read; anything else is the beginning.
 */
function lastSeen({ headers }: FastifyRequest): number {
  const last = headers['last-event-id'];
  return typeof last === 'string' && /^\d{1,15}$/.test(last) ? Number(last) : 0;
}

function frameBytes({ frame, seq }: NumberedFrame, of: { readonly id: RpcId; readonly version: A2aVersion }): Buffer {
  const data = JSON.stringify({ jsonrpc: '2.0', id: of.id, result: wireOf(of.version).frame(frame) });
  return Buffer.from(`${seq === null ? '' : `id: ${seq}\n`}data: ${data}\n\n`);
}
