// What the server of `login-provider.mjs` answers to those whom it lets in, and to those whom it
// refuses.

const TOOL = {
  name: 'greet',
  description: 'Greets',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
};
export const CHALLENGES = {
  unauthorized: { status: 401, header: 'Bearer error="invalid_token"' },
  forbidden: { status: 403, header: 'Bearer error="insufficient_scope", scope="mcp:read mcp:write"' },
};
export const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    serverInfo: { name: 'notes', version: '1' },
    capabilities: { tools: {} },
  }),
  'tools/list': () => ({ tools: [TOOL] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'hello from the notes' }] }),
  ping: () => ({}),
};
