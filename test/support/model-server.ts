import { OPENAI_CHAT } from './components/provider-servers/openai-chat.js';
import type { ReplyOf } from './components/provider-servers/reply.js';
import { type ProviderServer, type ServerOptions, startProviderServer } from './components/provider-servers/server.js';

export type { RecordedRequest } from './components/provider-servers/protocol.js';
export type { Reply } from './components/provider-servers/reply.js';
export type ModelServer = ProviderServer;

/**
 * A server that speaks OpenAI chat completions, for every test that needs some model over real
 * HTTP.
 */
export const startModelServer = (fallback?: ReplyOf, options?: ServerOptions): Promise<ModelServer> =>
  startProviderServer(OPENAI_CHAT, fallback, options);
