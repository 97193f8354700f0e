import { isKitError, type ServerCall, type ToolAnswer, type ToolServer } from '@kit-run/kit/plugin';
import { callFailed } from '../failure.js';
import { TRACEPARENT_META_KEY } from '../sdk/parts.js';
import { answerOf, bytesOf } from './answer.js';
import { judge } from './call-failure.js';
import type { Connection } from './connection.js';
import { createLimits } from './limits.js';
import { NO_TIMEOUT_MS, type OpenRequest } from './parts.js';
import { createSession, type Session } from './session.js';

/** Where a server finds the id by which a repeated call can be recognised. */
const STEP_META_KEY = 'kit/step_id';

interface CallOn {
  readonly server: string;
  readonly connection: Connection;
  readonly call: ServerCall;
  /** Aborts when the time is up or the caller wants no answer any more; the server is told. */
  readonly stop: AbortSignal;
}

/**
 * One call on one session. Throws what the SDK throws, and KIT_TOOL_CALL_FAILED for an answer
 * larger than the call allows.
 */
async function callTool({ server, connection, call, stop }: CallOn): Promise<ToolAnswer> {
  const { onProgress } = call;
  const _meta = {
    [STEP_META_KEY]: call.stepId,
    ...(call.traceParent === null ? {} : { [TRACEPARENT_META_KEY]: call.traceParent }),
  };
  const result = await connection.client.request(
    { method: 'tools/call', params: { name: call.tool, arguments: call.input, _meta } },
    {
      signal: stop,
      timeout: NO_TIMEOUT_MS,
      ...(onProgress === undefined
        ? {}
        : {
            onprogress: ({ progress, total, message }) =>
              onProgress({ done: progress, total: total ?? null, message: message ?? null }),
          }),
    },
  );
  const answer = answerOf(result);
  const bytes = bytesOf(answer);
  if (bytes <= call.maxBytes) return answer;
  throw callFailed(`answered with ${bytes} bytes; ${call.maxBytes} may be read`, {
    server,
    tool: call.tool,
    reason: 'too_large',
    sent: true,
  });
}

/** Resolves when the signal aborts. */
const aborted = (signal: AbortSignal): Promise<'aborted'> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve('aborted');
    else signal.addEventListener('abort', () => resolve('aborted'), { once: true });
  });

interface Attempts {
  readonly server: string;
  readonly session: Session;
  readonly call: ServerCall;
  readonly stop: AbortSignal;
  /** The failure of a call that was stopped. */
  readonly stopped: (sent: boolean) => Error;
}

/**
 * One attempt, or two: a session that turns out to be gone before the call was sent is made anew,
 * once.
 */
async function attempt({ server, session, call, stop, stopped }: Attempts, isFirst = true): Promise<ToolAnswer> {
  const connection = await Promise.race([connectFor(server, session, call), aborted(stop)]);
  if (connection === 'aborted') throw stopped(false);
  try {
    return await callTool({ server, connection, call, stop });
  } catch (error) {
    if (stop.aborted) throw stopped(true);
    const verdict = judge(error);
    if (verdict === null) throw error;
    if (verdict.isGone && !verdict.sent && isFirst) {
      await Promise.race([connection.close(), aborted(stop)]);
      return attempt({ server, session, call, stop, stopped }, false);
    }
    const { what, reason, sent, isDown, rpcCode } = verdict;
    const stderr =
      reason === 'disconnected' ? await Promise.race([connection.stderr(), aborted(stop).then(() => [])]) : [];
    throw callFailed(what, {
      server,
      tool: call.tool,
      reason,
      sent,
      stderr,
      ...(isDown === undefined ? {} : { down: isDown }),
      ...(rpcCode === undefined ? {} : { rpcCode }),
    });
  }
}

/** A server that cannot be had again fails the call, which was not sent. */
async function connectFor(server: string, session: Session, { tool }: ServerCall): Promise<Connection> {
  try {
    return await session.connect();
  } catch (error) {
    if (!isKitError(error) || error.code !== 'KIT_TOOL_SERVER_FAILED') throw error;
    const stderr = Array.isArray(error.data.stderr) ? error.data.stderr.map(String) : [];
    const reason =
      error.data.reason === 'refused' ? 'refused' : error.data.reason === 'aborted' ? 'aborted' : 'unreachable';
    const down = error.data.down === true ? ({ down: true } as const) : {};
    throw callFailed(`was not called: ${error.message}`, { server, tool, reason, sent: false, stderr, ...down });
  }
}

/**
 * Opens one MCP server. Throws KIT_TOOL_SERVER_FAILED or KIT_TOOL_SANDBOX_UNAVAILABLE; nothing of
 * it is left running then.
 */
export async function openServer(request: OpenRequest): Promise<ToolServer> {
  const { server, context } = request;
  const limits = createLimits();
  const session = createSession(request, limits);

  async function call(asked: ServerCall, signal: AbortSignal): Promise<ToolAnswer> {
    const late = new AbortController();
    const done = new AbortController();
    context.clock.sleep(asked.timeoutMs, done.signal).then(
      () => late.abort(),
      () => undefined,
    );
    const leave = limits.enter(asked.maxBytes);
    const stopped = (sent: boolean): Error => {
      const [reason, what] = late.signal.aborted
        ? (['timeout', `got no answer within ${asked.timeoutMs} ms`] as const)
        : (['aborted', 'was stopped'] as const);
      return callFailed(what, { server: server.id, tool: asked.tool, reason, sent });
    };
    try {
      const stop = AbortSignal.any([signal, context.signal, late.signal]);
      if (stop.aborted) throw stopped(false);
      return await attempt({ server: server.id, session, call: asked, stop, stopped });
    } finally {
      leave();
      done.abort();
    }
  }

  try {
    await session.tools();
  } catch (error) {
    await session.close();
    throw error;
  }
  const close = (): Promise<void> => session.close();
  context.signal.addEventListener('abort', () => void close(), { once: true });
  return { tools: session.tools, call, close };
}
