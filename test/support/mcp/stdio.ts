import { getDefaultEnvironment as env2, StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { KIT } from '../kit-process.js';
import { openClient1, openClient2, type TestClient } from './clients.js';

/** `kit mcp serve` with a client of one library and one revision before it. */
export interface StdioClient extends TestClient {
  readonly pid: () => number;
  /** What the server said on stderr. */
  readonly stderr: () => string;
  /** As a client that ends. */
  readonly close: () => Promise<void>;
}

export interface StdioReach {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

function transportOf<T extends Stdio1 | Stdio2>(
  Transport: new (options: ConstructorParameters<typeof Stdio1>[0]) => T,
  { argv, env, cwd }: StdioReach,
): { readonly transport: T; readonly said: () => string } {
  let said = '';
  const transport = new Transport({
    command: process.execPath,
    args: [KIT, 'mcp', 'serve', ...argv],
    env: { ...env2(), ...(env as Record<string, string>) },
    cwd,
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  return { transport, said: () => said };
}

/** Every client that the server is tried with. */
export const STDIO_CLIENTS: readonly {
  readonly name: string;
  readonly open: (reach: StdioReach) => Promise<StdioClient>;
}[] = [
  {
    name: 'SDK 1, 2025',
    open: async (reach) => {
      const { transport, said } = transportOf(Stdio1, reach);
      const client = await openClient1(transport as Parameters<typeof openClient1>[0]);
      return { ...client, pid: () => transport.pid ?? 0, stderr: said, close: () => transport.close() };
    },
  },
  ...(['2025', '2026'] as const).map((era) => ({
    name: `SDK 2, ${era}`,
    open: async (reach: StdioReach): Promise<StdioClient> => {
      const { transport, said } = transportOf(Stdio2 as never, reach) as {
        readonly transport: Stdio2;
        readonly said: () => string;
      };
      const client = await openClient2(transport, era);
      return { ...client, pid: () => transport.pid ?? 0, stderr: said, close: () => transport.close() };
    },
  })),
];
