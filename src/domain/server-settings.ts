import type { JsonObject } from './json.js';

/** `server` of the workspace with its defaults (docs/design/decisions.md#server-defaults). */
export interface ServerSettings {
  /** Null: not written; a flag decides, else 127.0.0.1. */
  readonly host: string | null;
  /** Null: not written; a flag decides, else 8000. */
  readonly port: number | null;
  readonly publicUrl: string | null;
  /** `allowed_hosts`: `name` or `name:port`, lower case; [] = none is named. */
  readonly allowedHosts: readonly string[];
  readonly auth: {
    readonly provider: string;
    readonly requireOnNonloopback: boolean;
    /**
     * As it was written, with what stands directly under `server.auth`; `${VAR}` and references are
     * resolved when a server starts.
     */
    readonly config: JsonObject;
  };
  readonly jobs: {
    readonly recoverAll: boolean;
    readonly shutdownMs: number;
    /**
     * How long a claim holds without a heartbeat; one every third of it. 3 to 3600 s, 60 s unless
     * written.
     */
    readonly leaseMs: number;
  };
  /** The topologies as an agent of A2A; off unless `enabled`. */
  readonly a2a: {
    readonly enabled: boolean;
    /** How long a blocking message waits for its run; 50 s unless written. */
    readonly waitMs: number;
    /** What the card says of whose agent it is; null = not written. */
    readonly identity: {
      readonly name: string | null;
      readonly description: string | null;
      readonly url: string | null;
      readonly organization: string | null;
    };
  };
  /** `allow`: private hosts and ranges that are called (`OutboundRules`). */
  readonly outbound: { readonly allow: readonly string[] };
  /** Pages for people at `/console`. */
  readonly console: { readonly enabled: boolean };
  /** The topologies as tools at `/mcp/`. */
  readonly mcp: {
    readonly enabled: boolean;
    /** How long a call waits for its run; 45 s unless written. */
    readonly waitMs: number;
  };
  readonly canary: readonly CanaryRouteSettings[];
  readonly signal: { readonly url: string; readonly credentialsRef: string | null } | null;
}

/** A topology whose runs are split between versions. */
export interface CanaryRouteSettings {
  readonly topology: string;
  readonly versions: readonly {
    readonly version: string;
    readonly weight: number;
    readonly promoteWhen: PromoteWhen | null;
  }[];
}

/** When a version is promoted by itself: every condition must hold (docs/canary.md). */
export interface PromoteWhen {
  readonly minRuns: number;
  readonly errorRateBelow: number;
  readonly driftBelow: number;
  /**
   * `drift_below` was written: then the condition is unmet as long as no drift is measured.
   * Unwritten, its default holds for measured drift alone.
   */
  readonly needsDrift: boolean;
  readonly windowMs: number;
}

/** One entry of `events`. */
export interface SinkSettings {
  /**
   * Name or id of a contribution to `eventSinks`: `webhook`, `stdout`, or what `provider_id` names.
   */
  readonly sink: string;
  /** What the contribution is created with; `${VAR}` and references are resolved then. */
  readonly config: JsonObject;
  /** [] = every type. */
  readonly types: readonly string[];
}
