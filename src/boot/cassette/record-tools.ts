import { isKitError, KitError } from '../../domain/errors.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { CallTimeout } from '../../domain/ports/system.js';
import type { ServerTool, ToolAnswer, ToolServer } from '../../domain/ports/tools.js';
import type { RunFacilities } from '../../worker/facilities.js';
import { decodeError, encodeError } from './recorded-error.js';
import { askedOfTool, plain } from './requests.js';
import type { CassetteWriter } from './write-cassette.js';

/** What a tool server gave: its tools, an answer, or why there was none. */
export type RecordedTools = { readonly tools: Json } | { readonly error: JsonObject };
export type RecordedTool = { readonly answer: Json } | { readonly error: JsonObject } | { readonly timeout: string };

/** Where the tools of a server stand: they belong to no step. */
export const toolsKey = (server: string): string => `servers/${server}`;

/** The first list of tools of each server, and every call, each attempt of a step in its order. */
export function recordTools(real: RunFacilities, writer: CassetteWriter): RunFacilities['toolServer'] {
  const listed = new Set<string>();
  const attempts = new Map<string, number>();

  async function list(id: string, tools: () => Promise<readonly ServerTool[]>): Promise<readonly ServerTool[]> {
    const keep = (gave: RecordedTools): RecordedTools | null => {
      if (listed.has(id)) return null;
      listed.add(id);
      return writer.keep({ kind: 'tools', key: toolsKey(id), n: 0, asked: { server: id } }, gave as Json) as RecordedTools;
    };
    try {
      const found = await tools();
      const kept = keep({ tools: plain(found) as unknown as Json });
      return kept !== null && 'tools' in kept ? (kept.tools as unknown as readonly ServerTool[]) : found;
    } catch (error) {
      keep({ error: encodeFailure(error) });
      throw error;
    }
  }

  return async (server, lease, key) => {
    // Opened when something is asked: what keeps it from opening is the answer.
    const open = (): Promise<ToolServer> => real.toolServer(server, lease, key);
    return {
      tools: () => list(server.id, async () => (await open()).tools()),
      call: async (call, signal) => {
        const n = attempts.get(key ?? '') ?? 0;
        attempts.set(key ?? '', n + 1);
        const asked = { kind: 'tool', key: key ?? '', n, asked: askedOfTool(server.id, call) } as const;
        const gave = await inTime(async () => (await open()).call(call, signal), signal);
        // The run itself ends here: what its step came to is not known to anybody.
        if (signal.aborted && !('timeout' in gave)) return settle(gave);
        return settle(writer.keep(asked, gave as Json) as RecordedTool);
      },
      close: async () => undefined,
    };
  };
}

/** The answer, the throw or the end of the time, whichever is first: what the engine makes of it is what is recorded. */
async function inTime(call: () => Promise<ToolAnswer>, signal: AbortSignal): Promise<RecordedTool> {
  const answered = call().then(
    (answer): RecordedTool => ({ answer: plain(answer) }),
    (error: unknown): RecordedTool => ({ error: encodeFailure(error) }),
  );
  const settled = new AbortController();
  const ended = new Promise<RecordedTool>((resolve) => {
    const end = (): void => {
      const { reason } = signal;
      resolve(reason instanceof CallTimeout ? { timeout: reason.message } : { error: encodeFailure(reason) });
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true, signal: settled.signal });
  });
  try {
    return await Promise.race([answered, ended]);
  } finally {
    settled.abort();
  }
}

/** An answer, or the error that a caller sees. */
export function settle(gave: RecordedTool): ToolAnswer {
  if ('answer' in gave) return gave.answer as unknown as ToolAnswer;
  throw 'timeout' in gave ? new CallTimeout(gave.timeout) : decodeFailure(gave.error);
}

/** What the engine judges a failed call by goes with it: whether it was sent, and why it failed. */
function encodeFailure(error: unknown): JsonObject {
  const { sent, reason } = isKitError(error) ? error.data : {};
  return { ...encodeError(error), ...(typeof sent === 'boolean' ? { sent } : {}), ...(typeof reason === 'string' ? { reason } : {}) };
}

export function decodeFailure(value: JsonObject): Error {
  const error = decodeError(value);
  const { sent, reason } = value;
  return isKitError(error) ? new KitError(error.code, error.message, { data: plain({ sent, reason }) }) : error;
}
