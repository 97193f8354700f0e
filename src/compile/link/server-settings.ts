import type {
  CanaryRoute,
  EventSinkEntry,
  PromoteWhen as PromoteWhenBlock,
  Server,
  ServerAuth,
  Workspace as WorkspaceFile,
} from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { JsonObject } from '../../domain/json.js';
import type { CanaryRouteSettings, PromoteWhen, ServerSettings, SinkSettings } from '../../domain/server-settings.js';
import type { Workspace } from '../../domain/workspace.js';

function promoteWhen(block: PromoteWhenBlock | undefined): PromoteWhen | null {
  if (block === undefined) return null;
  const when = { ...DEFAULTS.PromoteWhen, ...block };
  return {
    minRuns: when.min_runs,
    errorRateBelow: when.error_rate_below,
    driftBelow: when.drift_below,
    needsDrift: block.drift_below !== undefined,
    windowMs: when.window_minutes * 60_000,
  };
}

/**
 * `promote_when` of a route holds for its versions that have none
 * (docs/design/decisions.md#server-defaults).
 */
const canaryRoute = ({ topology, versions, promote_when: shared }: CanaryRoute): CanaryRouteSettings => ({
  topology,
  versions: versions.map(({ version, weight, promote_when: own }) => ({
    version,
    weight,
    promoteWhen: promoteWhen(own ?? shared),
  })),
});

/**
 * What stands directly under `server.auth`, then `config`, which wins
 * (docs/design/decisions.md#auth-once).
 */
function authConfig(auth: ServerAuth): JsonObject {
  const { provider: _provider, require_on_nonloopback: _required, config, ...direct } = auth;
  return { ...direct, ...config };
}

function serverSettings(server: Server): ServerSettings {
  const auth = { ...DEFAULTS.ServerAuth, ...server.auth };
  const jobs = { ...DEFAULTS.ServerJobs, ...server.jobs };
  const mcp = { ...DEFAULTS['Server.mcp'], ...server.mcp };
  const a2a = { ...DEFAULTS['Server.a2a'], ...server.a2a };
  const { signal } = server;
  return {
    host: server.host ?? null,
    port: server.port ?? null,
    publicUrl: server.public_url ?? null,
    allowedHosts: (server.allowed_hosts ?? []).map((host) => host.toLowerCase()),
    auth: {
      provider: auth.provider,
      requireOnNonloopback: auth.require_on_nonloopback,
      config: authConfig(auth),
    },
    jobs: {
      recoverAll: jobs.recover === 'all',
      shutdownMs: jobs.shutdown_seconds * 1000,
      leaseMs: jobs.lease_seconds * 1000,
    },
    a2a: {
      enabled: a2a.enabled,
      waitMs: a2a.wait_seconds * 1000,
      identity: { name: null, description: null, url: null, organization: null, ...a2a.identity },
    },
    outbound: { allow: server.outbound?.allow ?? [] },
    console: { ...DEFAULTS['Server.console'], ...server.console },
    mcp: { enabled: mcp.enabled, waitMs: mcp.wait_seconds * 1000 },
    canary: (server.canary?.routes ?? []).map(canaryRoute),
    signal: signal === undefined ? null : { url: signal.url, credentialsRef: signal.credentials_ref ?? null },
  };
}

/**
 * `webhook` and `stdout` have their settings beside them, what a plugin brings has its own below
 * `config`.
 */
export function sinkSettings({ sink, types = [], ...rest }: EventSinkEntry): SinkSettings {
  return sink === 'plugin'
    ? { sink: rest.provider_id ?? '', config: rest.config ?? {}, types }
    : { sink, config: rest, types };
}

type Serving = Pick<
  Workspace,
  'server' | 'sinks' | 'identity' | 'organisation' | 'team' | 'annotations' | 'description'
>;

/** What a server reads of `workspace.yaml`, with its defaults. */
export function servingConfig(file: WorkspaceFile): Serving {
  const { metadata, identity, organisation, team } = file;
  return {
    server: serverSettings(file.server ?? {}),
    sinks: (file.events ?? []).map(sinkSettings),
    identity: identity === undefined ? null : { config: {}, ...identity },
    organisation: organisation === undefined ? null : { name: null, ...organisation },
    team: team === undefined ? null : { name: null, ...team },
    annotations: metadata.annotations ?? {},
    description: metadata.description ?? null,
  };
}
