import type { JsonObject } from '../../src/domain/json.js';
import type { LinkedSkill } from '../../src/domain/linked-skill.js';
import type { ServerCall, ServerTool, ToolAnswer, ToolServer, ToolSource } from '../../src/domain/ports/tools.js';
import type { LinkedServer } from '../../src/domain/tool-server.js';

const NO_HINTS = { readOnly: null, destructive: null, idempotent: null };

export const serverTool = (name: string, over: Partial<ServerTool> = {}): ServerTool => ({
  name,
  description: `The server's ${name}.`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  outputSchema: null,
  hints: NO_HINTS,
  ...over,
});

export const linkedServer = (id: string, over: Partial<LinkedServer> = {}): LinkedServer => ({
  id,
  source: 'mcp',
  config: { transport: 'stdio', command: ['none'] },
  credentialsRef: null,
  permission: 'open',
  permissionOverrides: {},
  effects: {},
  onInDoubt: {},
  ...over,
});

/** A skill that is the tool `tool` of the server `server`. */
export const toolSkill = (
  id: string,
  over: Partial<LinkedSkill> & { readonly tool?: string; readonly fixed?: JsonObject } = {},
): LinkedSkill => {
  const { tool = id, fixed = {}, ...rest } = over;
  return {
    id,
    description: `Calls ${id} for a test.`,
    category: 'capability',
    inputs: null,
    outputs: null,
    requiredScopes: [],
    effects: 'unknown',
    onInDoubt: 'repeat',
    audit: { logInputs: 'full', logOutputs: 'full', redact: [] },
    implementation: { type: 'mcp_tool', server: 'files', tool, arguments: fixed },
    ...rest,
  };
};

export const saying = (text: string): ToolAnswer => ({
  parts: [{ type: 'text', text }],
  structured: null,
  isError: false,
});

export type Answer = (call: ServerCall, signal: AbortSignal) => ToolAnswer | Promise<ToolAnswer>;

/** A server in this process: what it was called with, how often it was opened and closed. */
export interface FakeServer {
  readonly source: ToolSource;
  readonly calls: ServerCall[];
  readonly log: string[];
}

/** `answer` defaults to the text of its argument. */
export function fakeServer(
  tools: readonly ServerTool[],
  answer: Answer = ({ input }) => saying(`said ${String(input.text ?? '')}`),
): FakeServer {
  const calls: ServerCall[] = [];
  const log: string[] = [];
  const server: ToolServer = {
    tools: async () => tools,
    call: async (call, signal) => {
      calls.push(call);
      return answer(call, signal);
    },
    close: async () => {
      log.push('closed');
    },
  };
  const source: ToolSource = {
    open: async ({ id }) => {
      log.push(`opened ${id}`);
      return server;
    },
  };
  return { source, calls, log };
}
