import type { Json, JsonObject } from '@kit-run/kit/plugin';
import { RpcFailure } from '../rpc/failure.js';
import { type A2aVersion, methodsOf, operationOf } from '../rpc/protocol.js';
import type { RpcCall } from '../rpc/request.js';
import { wireOf } from '../wire/versions.js';
import type { Following } from './follow.js';
import { messageOf } from './message.js';
import { type Sending, sendMessage, settled } from './send.js';
import { cancelTask, listTasks, taskIdOf } from './tasks.js';
import type { A2aParts, Reached } from './uses.js';

/** One call of one caller. */
export interface Called extends Pick<Sending, 'caller' | 'reader' | 'traceParent'> {
  readonly call: RpcCall;
  readonly version: A2aVersion;
  readonly reached: Reached;
  /** Topology of the path. */
  readonly path: string | null;
  /** The caller takes server-sent events. */
  readonly takesStream: boolean;
  /** Aborts when the caller has gone. */
  readonly gone: AbortSignal;
}

/** One result, or a task to follow. */
export type Answer =
  | { readonly kind: 'result'; readonly result: Json }
  | { readonly kind: 'stream'; readonly following: Omit<Following, 'reader' | 'signal' | 'afterSeq'> };

const result = (value: JsonObject): Answer => ({ kind: 'result', result: value });

function assertStreams({ takesStream, call }: Called): void {
  if (takesStream) return;
  throw new RpcFailure(-32600, `${call.method} answers with events: send Accept: text/event-stream`);
}

/** Carries out one call. Throws RpcFailure, and what the use cases throw. */
export async function answerCall(parts: A2aParts, called: Called): Promise<Answer> {
  const { call, version, caller, reader } = called;
  const { params, method } = call;
  const wire = wireOf(version);
  const operation = operationOf(version, method);
  switch (operation) {
    case 'send': {
      const message = messageOf(version, params);
      const job = await sendMessage(parts, { ...sendingOf(called), message });
      const { waitMs } = called.reached.offered.server.a2a;
      const after = message.isBlocking ? await settled(parts, job, { waitMs, gone: called.gone }) : job;
      return result(wire.sent(await reader.of(after)));
    }
    case 'stream': {
      assertStreams(called);
      const job = await sendMessage(parts, { ...sendingOf(called), message: messageOf(version, params) });
      return { kind: 'stream', following: { job, whenParked: 'ends' } };
    }
    case 'follow': {
      assertStreams(called);
      const job = await reader.job(taskIdOf(params));
      return { kind: 'stream', following: { job, whenParked: 'stays' } };
    }
    case 'get':
      return result(wire.task(await reader.of(await reader.job(taskIdOf(params)))));
    case 'list':
      return result(await listTasks(parts, { version, params, reader }));
    case 'cancel':
      return result(wire.task(await cancelTask(parts, { id: taskIdOf(params), caller, reader })));
    case 'push':
      throw new RpcFailure(-32003, 'push notifications are not sent; follow the task, or ask for it');
    case 'extended-card':
      throw new RpcFailure(-32004, 'there is one card for everybody: /.well-known/agent-card.json');
    case null:
      throw new RpcFailure(
        -32601,
        `${version} has no method ${method.slice(0, 100)} here; there are ${methodsOf(version).join(', ')}`,
      );
  }
}

const sendingOf = ({ caller, reached, path, reader, traceParent }: Called) => ({
  ...{ offered: reached.offered, caller, path, reader, traceParent },
});
