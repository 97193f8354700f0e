import { isAbsolute, resolve } from 'node:path';
import { type AllowedHost, type ContainerSpec, type Json, type JsonObject, readAllowedHost } from '@kit-run/kit/plugin';
import { serverFailed } from './failure.js';

/** What a sandboxed server runs in; null = not written. */
export interface SandboxSettings {
  readonly image: string | null;
  readonly runtime: string | null;
  /** Bounds that are written; what is not has a default. */
  readonly resources: Partial<ContainerSpec['limits']>;
  /** Hosts that it reaches over TLS, through kit; [] = it has no network. */
  readonly allow: readonly AllowedHost[];
}

export interface StdioSettings {
  readonly transport: 'stdio';
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
  readonly sandbox: SandboxSettings | null;
}

export interface HttpSettings {
  readonly transport: 'http';
  readonly endpoint: URL;
  readonly headers: Readonly<Record<string, string>>;
}

export type ServerSettings = StdioSettings | HttpSettings;

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null);

function textsOf(value: Json | undefined): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function commandOf(server: string, value: Json | undefined): readonly [string, ...string[]] {
  const words = Array.isArray(value) ? value.filter((word) => typeof word === 'string') : [];
  const [program, ...rest] = words;
  if (program === undefined || words.length !== (Array.isArray(value) ? value.length : -1)) {
    throw serverFailed(server, 'settings', 'has no command', {
      hint: 'Write `command` as a list: the program, then its arguments.',
    });
  }
  return [program, ...rest];
}

function endpointOf(server: string, value: Json | undefined): URL {
  const url = URL.parse(textOf(value) ?? '');
  // The address itself is not shown: a query or a user may hold a key.
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw serverFailed(server, 'settings', 'has an endpoint that is not an http or https address', {
      hint: 'Write `endpoint` as a whole URL.',
    });
  }
  return url;
}

function resourcesOf(value: Json | undefined): SandboxSettings['resources'] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const { cpus, memory, pids } = value as JsonObject;
  return {
    ...(typeof cpus === 'string' ? { cpus } : {}),
    ...(typeof memory === 'string' ? { memory } : {}),
    ...(typeof pids === 'number' ? { pids } : {}),
  };
}

/** An entry that is not a host would be one that nobody notices: the server is not started. */
function allowOf(server: string, value: Json | undefined): readonly AllowedHost[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry: Json) => {
    const host = readAllowedHost(String(entry));
    if ('problem' in host) throw serverFailed(server, 'settings', 'has an entry of `sandbox_allow` that is not a host');
    return host;
  });
}

function cwdOf(value: Json | undefined, workspaceRoot: string): string {
  const written = textOf(value);
  if (written === null) return workspaceRoot;
  return isAbsolute(written) ? written : resolve(workspaceRoot, written);
}

/**
 * Reads what the caller resolved. Throws KIT_TOOL_SERVER_FAILED (`settings`), without a value in
 * it.
 */
export function readSettings(server: string, settings: JsonObject, workspaceRoot: string): ServerSettings {
  if (settings.transport === 'http') {
    return { transport: 'http', endpoint: endpointOf(server, settings.endpoint), headers: textsOf(settings.headers) };
  }
  return {
    transport: 'stdio',
    command: commandOf(server, settings.command),
    env: textsOf(settings.env),
    cwd: cwdOf(settings.cwd, workspaceRoot),
    sandbox:
      settings.sandboxed === true
        ? {
            image: textOf(settings.sandbox_image),
            runtime: textOf(settings.container_runtime),
            resources: resourcesOf(settings.sandbox_resources),
            allow: allowOf(server, settings.sandbox_allow),
          }
        : null,
  };
}
