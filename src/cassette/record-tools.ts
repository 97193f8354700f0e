import type { Json } from '../domain/json.js';
import { CallTimeout } from '../domain/ports/system.js';
import type { ServerTool, ToolAnswer, ToolServer } from '../domain/ports/tools.js';
import { ABORTED, raceAbort } from '../engine/race-abort.js';
import type { RunFacilities } from '../worker/facilities.js';
import { encodeError } from './recorded-error.js';
import { askedOfTool, digestOf } from './requests.js';
import type { CassetteWriter } from './write-cassette.js';

/** What a server listed, or why it could not be asked. */
export type RecordedTools = { readonly tools: Json } | { readonly error: Json };

/**
 * What a tool answered, or why it did not; `timeout`: it said nothing until the time of the call
 * was over.
 */
export type RecordedTool = { readonly answer: Json } | { readonly error: Json } | { readonly timeout: string };

/**
 * Where the list of a server that one step asked for stands: several servers may be asked for one
 * turn.
 */
export const listKey = (stepKey: string, server: string): string => `${stepKey}/${server}`;

/**
 * Every list and every answer of a tool server, each attempt of a call in its order. A server is
 * opened when something is asked of it, so that one that does not start is an answer like any
 * other.
 */
export function recordTools(real: RunFacilities, writer: CassetteWriter): Pick<RunFacilities, 'toolServer'> {
  const attempts = new Map<string, number>();
  /** A turn asks the same server once for each of its tools. */
  const listed = new Map<string, string>();
  const keepList = <T extends RecordedTools>(key: string, of: { readonly server: string; readonly gave: T }): T => {
    const digest = digestOf(of.gave);
    if (listed.get(key) === digest) return of.gave;
    listed.set(key, digest);
    return writer.keep<T>({ kind: 'tools', key, n: 0, asked: { server: of.server } }, of.gave);
  };
  return {
    toolServer: async (server, lease, stepKey): Promise<ToolServer> => {
      const open = (): Promise<ToolServer> => real.toolServer(server, lease, stepKey);
      const key = listKey(stepKey, server.id);
      return {
        tools: async () => {
          const listing = open().then((opened) => opened.tools());
          const tools = (await listing.catch((error: unknown) => {
            keepList(key, { server: server.id, gave: { error: encodeError(error) } });
            throw error;
          })) as unknown as Json;
          return keepList(key, { server: server.id, gave: { tools } }).tools as unknown as readonly ServerTool[];
        },
        call: async (call, signal) => {
          const n = attempts.get(stepKey) ?? 0;
          attempts.set(stepKey, n + 1);
          const asked = { kind: 'tool', key: stepKey, n, asked: askedOfTool(server.id, call) } as const;
          const calling = open().then((opened) => opened.call(call, signal));
          const answer = await raceAbort(calling, signal).catch(writer.keepThrown(asked, signal));
          if (answer === ABORTED) {
            // Unless its time was over, the run itself ends here: what its step saw is not known to
            // anybody.
            if (signal.reason instanceof CallTimeout)
              writer.keep<RecordedTool>(asked, { timeout: signal.reason.message });
            else writer.keepCut(asked, signal);
            throw signal.reason;
          }
          const kept = writer.keep<{ readonly answer: Json }>(asked, { answer: answer as unknown as Json });
          return kept.answer as unknown as ToolAnswer;
        },
        close: async () => (await open()).close(),
      };
    },
  };
}
