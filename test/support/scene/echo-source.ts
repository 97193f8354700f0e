import { defineToolSource } from '../../../src/domain/define.js';
import type { ServerTool, ToolServer } from '../../../src/domain/ports/tools.js';

const tool = (name: string, readOnly: boolean | null): ServerTool => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  outputSchema: null,
  hints: { readOnly, destructive: null, idempotent: null },
});

/**
 * Servers whose tools answer with what the server was told of itself. Nothing is started; of a
 * secret only the length is told.
 */
export const contribution = defineToolSource({
  create: () => ({
    open: async (server): Promise<ToolServer> => ({
      tools: async () => [tool('look', null), tool('other', true)],
      call: async (call) => {
        const [settings, bearer] = await Promise.all([server.settings(), server.bearer()]);
        const text = JSON.stringify({
          server: server.id,
          tool: call.tool,
          input: call.input,
          settings,
          bearer: bearer?.length ?? null,
        });
        return { parts: [{ type: 'text', text }], structured: null, isError: false };
      },
      close: async () => undefined,
    }),
  }),
});
