import { type HarnessPermission, OWN_PERMISSION_KEYS, readPermissions } from '../../domain/harness-call.js';
import type { JsonObject } from '../../domain/json.js';

/** What of `permissions` cannot be kept; `key` is the place in `config`. */
export interface PermissionProblem {
  readonly key: string;
  readonly message: string;
  readonly help: string;
}

/** What of the adapter bears on what can be kept. */
export interface GateFacts {
  /** It asks kit before each call. */
  readonly hasGate: boolean;
  readonly sandbox: 'worktree' | 'container';
}

/** Why what `permissions` says cannot be kept as it is written; [] = it can. */
export function permissionProblems(config: JsonObject, gate: GateFacts): readonly PermissionProblem[] {
  const permissions = readPermissions(config);
  if (permissions === null) return [];
  if (!gate.hasGate)
    return [
      {
        key: 'permissions',
        message: '`permissions` is kept by nobody: the program of this adapter asks kit before no call',
        help: 'name an adapter that has a `gate`, such as `claude-code`',
      },
    ];
  if (gate.sandbox === 'container')
    return [
      {
        key: 'permissions',
        message: '`permissions` cannot be kept in a container: the program cannot ask kit from there',
        help: 'write `sandbox: { kind: worktree }` in the adapter, or remove `permissions`',
      },
    ];
  return [...besides(config), ...openNetwork(permissions), ...badMatches(permissions)];
}

function besides(config: JsonObject): readonly PermissionProblem[] {
  return OWN_PERMISSION_KEYS.filter((key) => config[key] !== undefined).map((key) => ({
    key,
    message: `\`${key}\` stands beside \`permissions\`: one of them would not hold`,
    help: `remove \`${key}\` and say it in \`permissions\``,
  }));
}

/** A command reaches the network by itself: only a sandbox without one keeps it from that. */
function openNetwork(permissions: readonly HarnessPermission[]): readonly PermissionProblem[] {
  const isWhole = (kind: HarnessPermission['kind']): boolean =>
    permissions.some((entry) => entry.kind === kind && entry.answer === 'deny' && entry.match === null);
  const at = permissions.findIndex((entry) => entry.kind === 'network' && entry.answer === 'deny');
  if (at < 0 || isWhole('execute')) return [];
  return [
    {
      key: `permissions/${at}`,
      message: '`network: deny` does not hold while commands may be run: a command reaches the network by itself',
      help: 'deny `execute` too, without `match`',
    },
  ];
}

function badMatches(permissions: readonly HarnessPermission[]): readonly PermissionProblem[] {
  return permissions.flatMap(({ kind, match }, index) => {
    if (match === null || kind !== 'mcp' || /^[^/]+\/[^/]+$/.test(match)) return [];
    return [
      {
        key: `permissions/${index}/match`,
        message: `\`${match}\` names no tool of a server`,
        help: 'write `server/tool`, or `server/*` for all tools of a server',
      },
    ];
  });
}
