import type { Effects, OnInDoubt } from './journal.js';
import type { JsonObject } from './json.js';
import type { LinkedCommand } from './linked-skill.js';

/**
 * One entry of `mcp_servers` as a run uses it. Plain JSON; `${VAR}` and `{credential.<ref>}` stay
 * references (docs/design/journal.md#references).
 */
export interface LinkedServer {
  readonly id: string;
  /** Name of the contribution to `toolSources` that opens it. */
  readonly source: string;
  /**
   * What the source is told of how to reach it: transport, command, endpoint, env, headers, cwd,
   * sandboxed, sandbox_image.
   */
  readonly config: JsonObject;
  /**
   * Sent as a bearer token over HTTP; the only entry that `{credential.<ref>}` of this server may
   * name, where it is written.
   */
  readonly credentialsRef: string | null;
  /** Tier of its tools; `cautious` unless written. */
  readonly permission: LinkedCommand['permission'];
  /** Tool name -> tier. */
  readonly permissionOverrides: Readonly<Record<string, LinkedCommand['permission']>>;
  /**
   * Tool name -> declared effect: it comes before what the server says of itself
   * (docs/design/execution.md#effects).
   */
  readonly effects: Readonly<Record<string, Effects>>;
  /** Tool name -> what a takeover does with a call in doubt. */
  readonly onInDoubt: Readonly<Record<string, OnInDoubt>>;
}
