import type { Duplex } from 'node:stream';
import {
  type ExecutorTools,
  GATEWAY,
  type JsonObject,
  MessageLines,
  PLUGIN_API,
  type ToolReply,
} from '@kit-run/kit/plugin';
import { type CallToolResult, parseJSONRPCMessage, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

/** As of any tool: a larger call is not a call. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** A program that gives a call a minute gives it another one with each sign of life. */
const ALIVE_MS = 10_000;

/** Serves the tools over a connection, a message a line; it ends with the connection. */
export function serveTools(tools: ExecutorTools, socket: Duplex): void {
  serveStdio(() => serverOf(tools), {
    transport: new MessageLines({
      ...{ input: socket, output: socket, maxBytes: MAX_MESSAGE_BYTES },
      read: parseJSONRPCMessage,
      // The program reads it in its answer, and nobody else waits for it.
      onRefused: () => {},
    }),
    onerror: () => {},
  });
}

function serverOf(tools: ExecutorTools): Server {
  const server = new Server({ name: GATEWAY, version: PLUGIN_API }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: tools.offered.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema: { ...inputSchema, type: 'object' as const },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const token = params._meta?.progressToken;
    let progress = 0;
    const alive =
      token === undefined
        ? null
        : setInterval(() => {
            progress += 1;
            const sent = mcpReq.notify({
              method: 'notifications/progress',
              params: { progressToken: token, progress },
            });
            sent.catch(() => {}); // the call goes on for whoever comes back to it
          }, ALIVE_MS);
    try {
      return resultOf(await tools.call(params.name, (params.arguments ?? {}) as JsonObject));
    } finally {
      if (alive !== null) clearInterval(alive);
    }
  });
  return server;
}

const resultOf = ({ text, isError, images }: ToolReply): CallToolResult => ({
  content: [
    { type: 'text', text },
    ...images.map(({ mediaType, data }) =>
      mediaType.startsWith('image/')
        ? { type: 'image' as const, mimeType: mediaType, data }
        : { type: 'resource' as const, resource: { uri: `${GATEWAY}:document`, mimeType: mediaType, blob: data } },
    ),
  ],
  ...(isError ? { isError: true } : {}),
});
