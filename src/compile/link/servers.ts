import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { JsonObject } from '../../domain/json.js';
import type { LinkedServer } from '../../domain/tool-server.js';
import { objectAt, objectsAt, textAt, textMapAt } from '../read.js';
import { effectsOr, onInDoubt } from './effects.js';
import { tierOr, tiersAt } from './tiers.js';

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
export function linkServers(linked: JsonObject): ReadonlyMap<string, LinkedServer> {
  return new Map(
    objectsAt(linked, 'mcp_servers').map((server) => [textAt(server, 'id') ?? '', linkServer(server)] as const),
  );
}

function linkServer(server: JsonObject): LinkedServer {
  const effects = Object.fromEntries(
    Object.entries(textMapAt(server, 'effects')).map(([tool, word]) => [tool, effectsOr(word, 'unknown')]),
  );
  const choices = Object.entries(textMapAt(server, 'on_in_doubt')).map(([tool, word]) => [
    tool,
    onInDoubt(word, effects[tool] ?? 'unknown'),
  ]);
  return {
    id: textAt(server, 'id') ?? '',
    source: textAt(server, 'source') ?? DEFAULTS.McpServer.source,
    config: Object.fromEntries(Object.entries(server).filter(([key]) => OF_SOURCE.includes(key))),
    credentialsRef: textAt(server, 'credentials_ref'),
    permission: tierOr(textAt(server, 'permission'), DEFAULTS.McpServer.permission),
    permissionOverrides: tiersAt(objectAt(server, 'permission_overrides')),
    effects,
    onInDoubt: Object.fromEntries(choices),
  };
}
