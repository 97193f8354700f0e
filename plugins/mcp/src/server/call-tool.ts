import type { ServerCall, ToolAnswer } from '@kit-run/kit/plugin';
import { callFailed } from '../failure.js';
import { TRACEPARENT_META_KEY } from '../sdk/parts.js';
import { answerOf, bytesOf } from './answer.js';
import type { Connection } from './connection.js';
import { NO_TIMEOUT_MS } from './parts.js';

/** Where a server finds the id by which a repeated call can be recognised. */
const STEP_META_KEY = 'kit/step_id';

export interface CallOn {
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
export async function callTool({ server, connection, call, stop }: CallOn): Promise<ToolAnswer> {
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
