import type { Json } from '../domain/json.js';
import { CallTimeout } from '../domain/ports/system.js';
import type { ServerTool, ToolAnswer } from '../domain/ports/tools.js';
import type { RunFacilities } from '../worker/facilities.js';
import { listKey, type RecordedTool, type RecordedTools } from './record-tools.js';
import { decodeError } from './recorded-error.js';
import { askedOfTool } from './requests.js';
import type { RecordedRequest } from './write-cassette.js';

/**
 * Tool servers that are not there: what they listed and answered is taken from the cassette,
 * failures and timeouts included.
 */
export function replayTools(take: Take): RunFacilities['toolServer'] {
  const attempts = new Map<string, number>();
  return async ({ id }, _lease, stepKey) => ({
    tools: async () => {
      const recorded = await take<RecordedTools>({
        kind: 'tools',
        key: listKey(stepKey, id),
        n: 0,
        asked: { server: id },
      });
      if ('error' in recorded) throw decodeError(recorded.error);
      return recorded.tools as unknown as readonly ServerTool[];
    },
    call: async (call, signal) => {
      const n = attempts.get(stepKey) ?? 0;
      attempts.set(stepKey, n + 1);
      const recorded = await take<RecordedTool>(
        { kind: 'tool', key: stepKey, n, asked: askedOfTool(id, call) },
        signal,
      );
      if ('timeout' in recorded) throw new CallTimeout(recorded.timeout);
      if ('error' in recorded) throw decodeError(recorded.error);
      return recorded.answer as Json as unknown as ToolAnswer;
    },
    close: async () => undefined,
  });
}

/**
 * The answer as its recorder wrote it: the kind says which type that is. The engine checks answers
 * of models and executors all the same.
 */
export type Take = <T>(asked: RecordedRequest, signal?: AbortSignal) => Promise<T>;
