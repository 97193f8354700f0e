// What is used of the server library of MCP.
export {
  type CallToolRequest,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  type InputRequiredResult,
  inputRequired,
  isLegacyRequest,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type ReadResourceResult,
  ResourceNotFoundError,
  Server,
  type ServerContext,
  type Tool,
  TRACEPARENT_META_KEY,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
export { serveStdio } from '@modelcontextprotocol/server/stdio';
