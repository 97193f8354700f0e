import type { AuthProvider, HttpMount, HttpTier } from '../../domain/ports/http.js';
import type { AccessEntry } from '../../domain/ports/serving.js';
import type { Log } from '../../domain/ports/system.js';

/** A group of routes that can be mounted. */
export interface MountedGroup {
  /** Id of the contribution. */
  readonly id: string;
  readonly plugin: string;
  readonly isBundled: boolean;
  /** '' for kit's own. */
  readonly prefix: string;
  readonly tier: HttpTier;
  readonly mount: HttpMount;
  /** The use cases that its manifest names; reading another member throws KIT_PLUGIN_CALL_FAILED. */
  readonly app: unknown;
}

/** A group that is not mounted, with the reason: one warning line, the server starts all the same. */
export interface FailedGroup {
  readonly id: string;
  readonly plugin: string;
  readonly reason: string;
}

/** What the HTTP server of a workspace is made of, beside its own parts. */
export interface HttpApp {
  /** Every contribution to `httpMounts`, kit's own first. A broken one of kit's own is thrown; another one is listed as failed. */
  mounts(workspace: string): Promise<{ readonly groups: readonly MountedGroup[]; readonly failed: readonly FailedGroup[] }>;
  /** The provider that `server.auth` names, with its configuration checked. Throws KIT_AUTH_INVALID. */
  auth(workspace: string): Promise<AuthProvider>;
  /** Best effort: a failed write is logged. */
  recordAccess(workspace: string, entries: readonly AccessEntry[]): Promise<void>;
  /** The log of a server: from `info` on, on stderr, a line an entry. */
  log(): Promise<Log>;
}
