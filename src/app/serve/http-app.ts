import type { AuthProvider, HttpMount, HttpTier } from '../../domain/ports/http.js';
import type { AccessEntry } from '../../domain/ports/serving.js';
import type { Log } from '../../domain/ports/system.js';
import type { PageRules } from '../../govern/serving/start-rules.js';
import type { ServerRole } from './serve-app.js';

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
  /**
   * The use cases that its manifest names; reading another member throws KIT_PLUGIN_CALL_FAILED.
   */
  readonly app: unknown;
}

/**
 * A group that is not mounted, with the reason: one warning line, the server starts all the same.
 */
export interface FailedGroup {
  readonly id: string;
  readonly plugin: string;
  readonly reason: string;
}

/** What the command line says about a server. */
export interface ServerOptions {
  readonly workspace: string;
  readonly role: ServerRole;
  /** Runs that may wait for a worker at once, >= 1; null = any number. Only the role `api` asks. */
  readonly maxQueued: number | null;
  /** Null: `server.host`, else 127.0.0.1. */
  readonly host: string | null;
  /** 0 = any free one. Null: `server.port`, else 8000. */
  readonly port: number | null;
  readonly profile: 'standard' | 'production';
  readonly insecure: boolean;
  /** Exact origins, or `*`. */
  readonly corsOrigins: readonly string[];
}

/** A server that may start; nothing is bound and nothing is written yet. */
export interface PreparedServer {
  /** What to hand to `listen`. */
  readonly host: string;
  readonly port: number;
  readonly auth: AuthProvider;
  readonly corsOrigins: readonly string[];
  /** Null: callers are authenticated. */
  readonly pages: PageRules | null;
  readonly role: ServerRole;
  /** As in `ServerOptions`. */
  readonly maxQueued: number | null;
  /** `server.jobs.shutdown_seconds`. */
  readonly shutdownMs: number;
  /** What an operator should know, a line each. */
  readonly warnings: readonly string[];
}

/** What a started server stands on, for the lines of its start. */
export interface ServerFacts {
  /** Engine and place of the store, without a password. */
  readonly storage: string;
  readonly maxConcurrent: number;
  /** Bare names of what can be run. */
  readonly topologies: readonly string[];
  /** `server.console.enabled`. */
  readonly hasConsole: boolean;
  /**
   * What is written and cannot work: triggers without their secret, declarations that nothing
   * reaches. A line each.
   */
  readonly notes: readonly string[];
}

/** What the HTTP server of a workspace is made of, beside its own parts. */
export interface HttpApp {
  /**
   * Settings, authentication and the rules of the start, judged before anything is bound. Throws
   * KIT_WORKSPACE_NOT_FOUND, KIT_WORKSPACE_INVALID, KIT_AUTH_INVALID, KIT_SERVE_REFUSED, each with
   * everything that is wrong.
   */
  prepare(options: ServerOptions): Promise<PreparedServer>;
  /**
   * Every contribution to `httpMounts`, kit's own first. A broken one of kit's own is thrown;
   * another one is listed as failed.
   */
  mounts(
    workspace: string,
  ): Promise<{ readonly groups: readonly MountedGroup[]; readonly failed: readonly FailedGroup[] }>;
  /**
   * The provider that `server.auth` names, with its configuration checked. Throws KIT_AUTH_INVALID.
   */
  auth(workspace: string): Promise<AuthProvider>;
  /** Asked once the server has started. */
  facts(workspace: string): Promise<ServerFacts>;
  /** Rejects when the store does: the server that collects entries keeps it best effort. */
  recordAccess(workspace: string, entries: readonly AccessEntry[]): Promise<void>;
  /** The log of a server: from `info` on, on stderr, a line an entry. */
  log(): Promise<Log>;
}
