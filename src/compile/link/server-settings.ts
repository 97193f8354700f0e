import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { JsonObject } from '../../domain/json.js';
import type { CanaryRouteSettings, PromoteWhen, ServerSettings, SinkSettings } from '../../domain/server-settings.js';
import type { Workspace } from '../../domain/workspace.js';
import { DIRECT_AUTH_KEYS } from '../auth-keys.js';
import { flagAt, numberAt, objectAt, objectIn, objectsAt, textAt, textMapAt, textsAt } from '../read.js';

const { PromoteWhen: PROMOTE, ServerAuth: AUTH, ServerJobs: JOBS } = DEFAULTS;

function promoteWhen(block: JsonObject | null): PromoteWhen | null {
  if (block === null) return null;
  return {
    minRuns: numberAt(block, 'min_runs') ?? PROMOTE.min_runs,
    errorRateBelow: numberAt(block, 'error_rate_below') ?? PROMOTE.error_rate_below,
    driftBelow: numberAt(block, 'drift_below') ?? PROMOTE.drift_below,
    needsDrift: numberAt(block, 'drift_below') !== null,
    windowMs: (numberAt(block, 'window_minutes') ?? PROMOTE.window_minutes) * 60_000,
  };
}

/**
 * `promote_when` of a route holds for its versions that have none
 * (docs/design/decisions.md#server-defaults).
 */
function canaryRoute(route: JsonObject): CanaryRouteSettings {
  const shared = promoteWhen(objectAt(route, 'promote_when'));
  return {
    topology: textAt(route, 'topology') ?? '',
    versions: objectsAt(route, 'versions').map((version) => ({
      version: textAt(version, 'version') ?? '',
      weight: numberAt(version, 'weight') ?? 0,
      promoteWhen: promoteWhen(objectAt(version, 'promote_when')) ?? shared,
    })),
  };
}

/**
 * What stands directly under `server.auth`, then `config`, which wins
 * (docs/design/decisions.md#auth-once).
 */
function authConfig(auth: JsonObject | null): JsonObject {
  const direct = DIRECT_AUTH_KEYS.flatMap((key) => {
    const value = textAt(auth, key);
    return value === null ? [] : [[key, value] as const];
  });
  return { ...Object.fromEntries(direct), ...objectAt(auth, 'config') };
}

function a2aSettings(block: JsonObject | null): ServerSettings['a2a'] {
  const identity = objectAt(block, 'identity');
  return {
    enabled: flagAt(block, 'enabled') ?? DEFAULTS['Server.a2a'].enabled,
    waitMs: (numberAt(block, 'wait_seconds') ?? DEFAULTS['Server.a2a'].wait_seconds) * 1000,
    identity: {
      name: textAt(identity, 'name'),
      description: textAt(identity, 'description'),
      url: textAt(identity, 'url'),
      organization: textAt(identity, 'organization'),
    },
  };
}

function serverSettings(linked: JsonObject): ServerSettings {
  const server = objectAt(linked, 'server');
  const auth = objectAt(server, 'auth');
  const jobs = objectAt(server, 'jobs');
  const signal = objectAt(server, 'signal');
  const mcp = objectAt(server, 'mcp');
  const url = textAt(signal, 'url');
  return {
    host: textAt(server, 'host'),
    port: numberAt(server, 'port'),
    publicUrl: textAt(server, 'public_url'),
    allowedHosts: textsAt(server, 'allowed_hosts').map((host) => host.toLowerCase()),
    auth: {
      provider: textAt(auth, 'provider') ?? AUTH.provider,
      requireOnNonloopback: flagAt(auth, 'require_on_nonloopback') ?? AUTH.require_on_nonloopback,
      config: authConfig(auth),
    },
    jobs: {
      recoverAll: (textAt(jobs, 'recover') ?? JOBS.recover) === 'all',
      shutdownMs: (numberAt(jobs, 'shutdown_seconds') ?? JOBS.shutdown_seconds) * 1000,
      leaseMs: (numberAt(jobs, 'lease_seconds') ?? JOBS.lease_seconds) * 1000,
    },
    a2a: a2aSettings(objectAt(server, 'a2a')),
    outbound: { allow: textsAt(objectAt(server, 'outbound'), 'allow') },
    console: { enabled: flagAt(objectAt(server, 'console'), 'enabled') ?? DEFAULTS['Server.console'].enabled },
    mcp: {
      enabled: flagAt(mcp, 'enabled') ?? DEFAULTS['Server.mcp'].enabled,
      waitMs: (numberAt(mcp, 'wait_seconds') ?? DEFAULTS['Server.mcp'].wait_seconds) * 1000,
    },
    canary: objectsAt(objectIn(server, 'canary'), 'routes').map(canaryRoute),
    signal: url === null ? null : { url, credentialsRef: textAt(signal, 'credentials_ref') },
  };
}

/**
 * `webhook` and `stdout` have their settings beside them, what a plugin brings has its own below
 * `config`.
 */
export function sinkSettings(entry: JsonObject): SinkSettings {
  const types = textsAt(entry, 'types');
  const sink = textAt(entry, 'sink') ?? '';
  if (sink === 'plugin')
    return { sink: textAt(entry, 'provider_id') ?? '', config: objectAt(entry, 'config') ?? {}, types };
  const { sink: _sink, types: _types, ...config } = entry;
  return { sink, config, types };
}

function label(linked: JsonObject, key: string): { readonly id: string; readonly name: string | null } | null {
  const id = textAt(objectAt(linked, key), 'id');
  return id === null ? null : { id, name: textAt(objectAt(linked, key), 'name') };
}

type Serving = Pick<
  Workspace,
  'server' | 'sinks' | 'identity' | 'organisation' | 'team' | 'annotations' | 'description'
>;

/** What a server reads of `workspace.yaml`, with its defaults. */
export function servingConfig(linked: JsonObject): Serving {
  const identity = textAt(objectAt(linked, 'identity'), 'provider');
  return {
    server: serverSettings(linked),
    sinks: objectsAt(linked, 'events').map(sinkSettings),
    identity: identity === null ? null : { provider: identity, config: objectIn(linked, 'identity', 'config') ?? {} },
    organisation: label(linked, 'organisation'),
    team: label(linked, 'team'),
    annotations: textMapAt(objectAt(linked, 'metadata'), 'annotations'),
    description: textAt(objectAt(linked, 'metadata'), 'description'),
  };
}
