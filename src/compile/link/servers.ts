import type { McpServer } from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { LinkedServer } from '../../domain/tool-server.js';
import { onInDoubt } from './effects.js';

/** What the source of a server is told; the rest of an entry is kit's own business. */
const OF_SOURCE = [
  'transport',
  'command',
  'endpoint',
  'env',
  'headers',
  'cwd',
  'sandboxed',
  'sandbox_image',
  'sandbox_allow',
  'sandbox_resources',
];

/**
 * `mcp_servers` by id. `linked` still holds `${VAR}` in what reaches an environment, a header or a
 * URL.
 */
export const linkServers = (servers: readonly McpServer[] = []): ReadonlyMap<string, LinkedServer> =>
  new Map(servers.map((server) => [server.id, linkServer(server)]));

function linkServer(server: McpServer): LinkedServer {
  const { effects = {}, on_in_doubt: choices = {} } = server;
  return {
    id: server.id,
    source: server.source ?? DEFAULTS.McpServer.source,
    config: Object.fromEntries(Object.entries(server).filter(([key]) => OF_SOURCE.includes(key))),
    credentialsRef: server.credentials_ref ?? null,
    permission: server.permission ?? DEFAULTS.McpServer.permission,
    permissionOverrides: server.permission_overrides ?? {},
    effects,
    onInDoubt: Object.fromEntries(
      Object.entries(choices).map(([tool, word]) => [tool, onInDoubt(word, effects[tool] ?? 'unknown')]),
    ),
  };
}
