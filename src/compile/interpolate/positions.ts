import type { Kind } from '../../domain/artifact.js';
import { matchesPath, type PathPattern, pathPattern } from '../../lib/path-pattern.js';
import { DIRECT_AUTH_KEYS } from '../auth-keys.js';

interface Position {
  readonly pattern: PathPattern;
  /**
   * The linked form keeps `${VAR}`: it is resolved where the value is used, never stored
   * (docs/design/journal.md#references).
   */
  readonly lateBound: boolean;
  /**
   * A name that nothing defines is an error here: a URL, a credential or a command with a hole in
   * it is no use to anyone.
   */
  readonly strict: boolean;
}

const late = (path: string): Position => ({ pattern: pathPattern(path), lateBound: true, strict: false });
const lateStrict = (path: string): Position => ({ pattern: pathPattern(path), lateBound: true, strict: true });
const strict = (path: string): Position => ({ pattern: pathPattern(path), lateBound: false, strict: true });

/**
 * Every place whose text reaches a URL, a header, an environment, a credential or a command line.
 */
const POSITIONS: Readonly<Partial<Record<Kind, readonly Position[]>>> = {
  Workspace: [
    lateStrict('mcp_servers.*.endpoint'),
    late('mcp_servers.*.headers.*'),
    late('mcp_servers.*.env.*'),
    strict('mcp_servers.*.command.*'),
    strict('mcp_servers.*.cwd'),
    late('command_packs.*.env.*'),
    strict('command_packs.*.cwd'),
    strict('command_packs.*.commands.*.argv.*'),
    lateStrict('credentials.*.config.**'),
    lateStrict('events.*.url'),
    lateStrict('events.*.config.**'),
    lateStrict('storage.*.url'),
    lateStrict('storage.*.database_url'),
    lateStrict('storage.artifacts.config.**'),
    strict('storage.artifacts.endpoint'),
    strict('storage.artifacts.bucket'),
    strict('server.public_url'),
    strict('server.allowed_hosts.*'),
    strict('server.outbound.allow.*'),
    strict('server.a2a.identity.url'),
    lateStrict('server.signal.url'),
    lateStrict('server.auth.config.**'),
    ...DIRECT_AUTH_KEYS.map((key) => lateStrict(`server.auth.${key}`)),
    late('model_providers.*.config.**'),
    late('governance.config.**'),
    late('identity.config.**'),
  ],
  ExecutorAdapter: [
    strict('spec.launch.command.*'),
    strict('spec.launch.optional_args.*.args.*'),
    late('spec.launch.env.*'),
    late('spec.auth.modes.*.env.*'),
  ],
  ModelProvider: [lateStrict('spec.base_url'), late('spec.headers.*'), late('spec.extra_body.**')],
  Skill: [lateStrict('implementation.card_url')],
  Trigger: [lateStrict('config.auth.**')],
};

/** What holds at a path of a document; places that no row names are neither. */
export function positionAt(
  kind: Kind,
  path: readonly string[],
): { readonly lateBound: boolean; readonly strict: boolean } {
  const found = POSITIONS[kind]?.find((position) => matchesPath(position.pattern, path));
  return { lateBound: found?.lateBound ?? false, strict: found?.strict ?? false };
}
