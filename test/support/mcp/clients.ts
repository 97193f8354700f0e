import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { onTestFinished } from 'vitest';

/** What came of a call. */
export interface CallResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

export interface CallOptions {
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly onProgress?: (notice: { readonly progress: number; readonly message?: string }) => void;
  readonly signal?: AbortSignal;
}

/** A client of one library and one revision of the protocol. */
export interface TestClient {
  readonly tools: () => Promise<readonly ListedTool[]>;
  readonly call: (name: string, args?: Readonly<Record<string, unknown>>, options?: CallOptions) => Promise<CallResult>;
  readonly resources: () => Promise<readonly { readonly uri: string }[]>;
  readonly templates: () => Promise<readonly { readonly uriTemplate: string }[]>;
  readonly read: (uri: string) => Promise<readonly { readonly text?: string; readonly blob?: string }[]>;
}

/** How a server is reached. */
export interface Reach {
  readonly url: string;
  readonly token?: string;
}

const transportOf = (Http: typeof Http1 | typeof Http2, { url, token }: Reach) =>
  new Http(new URL(`${url}/mcp/`), {
    ...(token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  });

const INFO = { name: 'test', version: '0.0.0' };

const paramsOf = (name: string, args: CallOptions['meta'], { meta }: CallOptions) => ({
  name,
  ...(args === undefined ? {} : { arguments: args }),
  ...(meta === undefined ? {} : { _meta: meta }),
});

const optionsOf = ({ onProgress, signal }: CallOptions) => ({
  ...(onProgress === undefined ? {} : { onprogress: onProgress as never }), // both libraries name it so
  ...(signal === undefined ? {} : { signal }),
});

/** Over the first library. */
export async function openClient1(transport: Parameters<Client1['connect']>[0]): Promise<TestClient> {
  const client = new Client1(INFO);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    tools: async () => (await client.listTools()).tools as readonly ListedTool[],
    call: async (name, args, options = {}) =>
      (await client.callTool(paramsOf(name, args, options) as never, undefined, optionsOf(options))) as CallResult,
    resources: async () => (await client.listResources()).resources,
    templates: async () => (await client.listResourceTemplates()).resourceTemplates,
    read: async (uri) => (await client.readResource({ uri })).contents as readonly { text?: string }[],
  };
}

/** Over the second library; `auto` speaks the 2026 revision where the server does. */
export async function openClient2(
  transport: Parameters<Client2['connect']>[0],
  era: '2025' | '2026',
  capabilities: Readonly<Record<string, unknown>> = {},
): Promise<TestClient & { readonly client: Client2 }> {
  const client = new Client2(INFO, {
    capabilities,
    ...(era === '2026' ? { versionNegotiation: { mode: 'auto' } } : {}),
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    tools: async () => (await client.listTools()).tools as readonly ListedTool[],
    call: async (name, args, options = {}) =>
      (await client.callTool(paramsOf(name, args, options) as never, optionsOf(options))) as CallResult,
    resources: async () => (await client.listResources()).resources,
    templates: async () => (await client.listResourceTemplates()).resourceTemplates,
    read: async (uri) => (await client.readResource({ uri })).contents as readonly { text?: string }[],
  };
}

/** Every client that the server is tried with, by its library and its revision. */
export const CLIENTS: readonly { readonly name: string; readonly open: (reach: Reach) => Promise<TestClient> }[] = [
  { name: 'SDK 1, 2025', open: (reach) => openClient1(transportOf(Http1, reach) as Http1) },
  { name: 'SDK 2, 2025', open: (reach) => openClient2(transportOf(Http2, reach) as Http2, '2025') },
  { name: 'SDK 2, 2026', open: (reach) => openClient2(transportOf(Http2, reach) as Http2, '2026') },
];

/** The answer's text. */
export const textOf = ({ content }: CallResult): string => content.map(({ text = '' }) => text).join('\n');
