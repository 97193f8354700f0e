import { isKitError, isObject, type Json } from '@kit-run/kit/plugin';
import type { Backend, FoundJob } from '../backend.js';
import { answerOf } from '../call/answer-of.js';
import { ProtocolError, ProtocolErrorCode, type Server } from '../sdk/parts.js';
import { detailedTask } from './task-of.js';

/** The library wants to know how parameters are checked; each method looks at its own. */
const ANY_PARAMS = {
  params: { '~standard': { version: 1, vendor: 'kit', validate: (value: unknown) => ({ value }) } },
} as const;

async function found(backend: Backend, params: Json | undefined): Promise<FoundJob> {
  const id = isObject(params) ? params.taskId : undefined;
  if (typeof id !== 'string') throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'taskId is not text');
  try {
    return await backend.find(id);
  } catch (error) {
    if (!isKitError(error)) backend.onDefect(error);
    const isUnknown = isKitError(error) && error.code === 'KIT_JOB_UNKNOWN';
    const words = isKitError(error) ? backend.wordsOf(error) : 'the server failed to answer';
    throw new ProtocolError(isUnknown ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError, words);
  }
}

const NO_DECISIONS =
  'a task takes no input here: people decide at the address of its gate, and the run goes on by itself once they have';

/**
 * The methods of the tasks extension. A task is a run, whoever asks for it and however it began.
 */
export function addTaskHandlers(server: Server, backend: Backend): void {
  server.setRequestHandler('tasks/get', ANY_PARAMS, async (params) => {
    const of = await found(backend, params as Json);
    return detailedTask(of.job, { result: await answerOf(backend, of), gateUrl: await backend.gateUrl(of) });
  });
  server.setRequestHandler('tasks/cancel', ANY_PARAMS, async (params) => {
    await backend.stop(await found(backend, params as Json));
    return {};
  });
  server.setRequestHandler('tasks/update', ANY_PARAMS, async (params) => {
    await found(backend, params as Json);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, NO_DECISIONS);
  });
}
