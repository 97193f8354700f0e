import type { Socket } from 'node:net';
import type { CallFacts, ExecutorTools, JsonObject } from '@kit-run/kit/plugin';
import { GATEWAY, toolCalled, toolNameOf } from '@kit-run/kit/plugin';

/** Kit's own tools, as the program of one launch has them. */
export interface OpenTools {
  /** As the program spells them, in the order in which they are offered. */
  readonly names: readonly string[];
  /** The tool that a program calls by this name, be it there or not; null: it is none of kit's. */
  skillOf(name: string): string | null;
  /** What rules look at of a call of one. */
  factsOf(skill: string): CallFacts;
  /**
   * True once for each call of the tool that has come to kit: a program cannot make one elsewhere.
   */
  hasCome(skill: string): boolean;
  /** Calls that are under way: a session is not silent while it waits for one. */
  readonly open: number;
  /** Speaks MCP with the program that came in. */
  serve(socket: Socket): void;
}

export function openTools(
  tools: ExecutorTools,
  { spec, onDefect }: { readonly spec: JsonObject; readonly onDefect: (error: unknown) => void },
): OpenTools {
  const offered = tools.offered.map(({ name }) => name);
  const come = new Map<string, number>();
  let open = 0;
  const counted: ExecutorTools = {
    offered: tools.offered,
    call: async (name, input) => {
      come.set(name, (come.get(name) ?? 0) + 1);
      open += 1;
      try {
        return await tools.call(name, input);
      } finally {
        open -= 1;
      }
    },
  };
  return {
    names: offered.map((name) => toolNameOf(spec, name)),
    skillOf: (name) => toolCalled(spec, name, offered),
    factsOf: (skill) => ({ kind: 'mcp', subject: `${GATEWAY}/${skill}`, place: null }),
    hasCome: (skill) => {
      const left = come.get(skill) ?? 0;
      if (left > 0) come.set(skill, left - 1);
      return left > 0;
    },
    get open() {
      return open;
    },
    serve: (socket) => {
      // A launch without skills never loads the protocol.
      import('./serve-tools.js').then(({ serveTools }) => serveTools(counted, socket)).catch(onDefect);
    },
  };
}
