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
  /** Its container has no network at all. */
  readonly isOffline: boolean;
  /** Kinds that the tables of the adapter tell calls by. */
  readonly kinds: readonly string[];
}

/** Why what `permissions` says cannot be kept as it is written; [] = it can. */
export function permissionProblems(config: JsonObject, gate: GateFacts): readonly PermissionProblem[] {
  const permissions = readPermissions(config);
  if (permissions === null) return [];
  if (!gate.hasGate)
    return [
      {
        key: 'permissions',
        message: '`permissions` has no effect: the program of this adapter asks kit before no call',
        help: 'name an adapter that has a `gate`, such as `claude-code`',
      },
    ];
  return [
    ...besides(config),
    ...unkept(permissions, gate),
    ...(gate.isOffline ? [] : openNetwork(permissions)),
    ...badMatches(permissions),
    ...overruled(permissions),
  ];
}

function besides(config: JsonObject): readonly PermissionProblem[] {
  return OWN_PERMISSION_KEYS.filter((key) => config[key] !== undefined).map((key) => ({
    key,
    message: `\`${key}\` stands beside \`permissions\`: one of them would not hold`,
    help: `remove \`${key}\` and say it in \`permissions\``,
  }));
}

/** Calls that the program does not tell from others are asked about: no entry can say otherwise. */
function unkept(permissions: readonly HarnessPermission[], { kinds }: GateFacts): readonly PermissionProblem[] {
  return permissions.flatMap(({ kind, answer, match }, index) => {
    if (kinds.includes(kind) || (answer === 'ask' && match === null)) return [];
    return [
      {
        key: `permissions/${index}`,
        message: `an entry of kind \`${kind}\` has no effect: the program of this adapter does not tell such calls from others, so each is asked about`,
        help: `remove the entry, or write \`{ kind: ${kind}, then: ask }\``,
      },
    ];
  });
}

/** A command reaches the network by itself: only a container without one keeps it from that. */
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

/** An entry that denies holds before one that asks, and that before one that allows. */
const RANK: Readonly<Record<HarnessPermission['answer'], number>> = { allow: 0, ask: 1, deny: 2 };

/** Entries that never answer, as another is about each of their calls and comes before them. */
function overruled(permissions: readonly HarnessPermission[]): readonly PermissionProblem[] {
  return permissions.flatMap(({ kind, match, answer }, index) => {
    const above = permissions.find(
      (one) => one.kind === kind && RANK[one.answer] > RANK[answer] && (one.match === null || one.match === match),
    );
    if (above === undefined) return [];
    const words = above.match === null ? `${above.answer} ${kind}` : `${above.answer} ${kind} ${above.match}`;
    const isDefault = above.answer === 'ask' && above.match === null && kind !== 'read' && kind !== 'edit';
    return [
      {
        key: `permissions/${index}`,
        message: `the entry \`${answer} ${kind}\` never answers: \`${words}\` is about each of its calls and comes before it, whatever their order`,
        help: isDefault
          ? `remove \`{ kind: ${kind}, then: ask }\`: what no entry allows is asked about without it`
          : `remove one of the two, or give \`${words}\` a narrower \`match\``,
      },
    ];
  });
}
