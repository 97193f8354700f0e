import type { ContainerOwner } from '../domain/container-owner.js';
import { KitError } from '../domain/errors.js';
import type { PluginHost } from '../domain/extension-points.js';
import type { JsonObject } from '../domain/json.js';
import type { HostAnswer } from '../domain/ports/container-way.js';
import type { OutboundAddresses } from '../domain/ports/outbound.js';
import type { Log } from '../domain/ports/system.js';
import type { OpenServerWay } from '../domain/ports/tools.js';
import type { LinkedServer } from '../domain/tool-server.js';
import type { CredentialService } from '../host/secrets.js';
import { credentialRefs } from '../lib/credential-refs.js';
import { hostsOnce } from '../lib/hosts-once.js';
import { createToolServers, PROCESS_LEASE, type ToolServers } from '../worker/tool-servers.js';
import type { FacilityParts, OpenRunServers, SharedServers } from './parts.js';
import { refusalHandler } from './refusal-handler.js';
import { renderConfig } from './render-config.js';

/** The executor whose containers have a proxy. */
const EXECUTOR = 'harness';

/**
 * How a tool server in a container comes to its hosts: by the proxy of harnesses, which is the one
 * that kit has. A server may serve many runs, so what it asks for stands in the log of the process,
 * each host and answer once.
 */
const serverWay =
  (parts: {
    readonly plugins: PluginHost;
    readonly log: Log;
    readonly addressesOf: OutboundAddresses;
  }): OpenServerWay =>
  async (server, to) => {
    const executor = await parts.plugins.resolve('executors', EXECUTOR, {});
    if (executor.openWay === undefined)
      throw new KitError(
        'KIT_TOOL_SANDBOX_UNAVAILABLE',
        `the tool server ${server} is to reach hosts, and kit has no proxy`,
        {
          data: { server },
        },
      );
    const { addressesOf } = parts;
    return executor.openWay({ ...to, addressesOf, onAnswer: reportOnce(parts.log, server) });
  };

const reportOnce = (log: Log, server: string): ((answer: HostAnswer) => Promise<void>) =>
  hostsOnce<HostAnswer>(
    async ({ host, port, answer, reason }) => {
      const of = { server, host, port, reason };
      if (answer === 'refused') log.warn('a tool server was refused a host', of);
      else log.info('a tool server reaches a host', of);
    },
    async (text) => log.warn(text, { server }),
  );

/** What this machine says of containers; null = nothing. */
export interface ContainerDefaults {
  readonly runtime: string | null;
  readonly image: string | null;
}

interface ServerParts
  extends Pick<FacilityParts, 'workspace' | 'plugins' | 'credentials' | 'processes' | 'childEnv' | 'clock' | 'log'> {
  readonly containers: ContainerDefaults;
  readonly containerOwner: ContainerOwner;
  readonly addressesOf: OutboundAddresses;
}

/** The servers of the runs of one session, and what closes those that its runs share. */
export function runServers(
  parts: ServerParts,
  shared: SharedServers,
): { readonly openServers: OpenRunServers; readonly close: () => Promise<void> } {
  let ours: ToolServers | undefined;
  const opened = (): ToolServers => {
    ours ??= openServers(parts);
    shared.open.add(ours);
    return ours;
  };
  return {
    openServers: () => {
      if (!shared.isOn) return ownServers(parts);
      return {
        toolServer: (server) => opened().open(server, PROCESS_LEASE),
        closeServers: () => Promise.resolve(),
      };
    },
    close: async () => {
      if (ours === undefined) return;
      shared.open.delete(ours);
      await ours.close();
    },
  };
}

/** Most runs call none. */
function ownServers(parts: ServerParts): ReturnType<OpenRunServers> {
  let servers: ToolServers | undefined;
  return {
    toolServer: (server, lease) => {
      servers ??= openServers(parts);
      return servers.open(server, lease);
    },
    closeServers: async (reason) => servers?.close(reason),
  };
}

const openServers = ({
  workspace,
  plugins,
  credentials,
  processes,
  childEnv,
  clock,
  log,
  containers,
  containerOwner,
  addressesOf,
}: ServerParts): ToolServers =>
  createToolServers({
    source: (name) => plugins.resolve('toolSources', name, {}),
    settings: async (server) => ({ ...(await settingsOf(credentials, server)), ...sandboxOf(server, containers) }),
    bearer: async ({ credentialsRef }) => (credentialsRef === null ? null : credentials.credential(credentialsRef)),
    refused: (server) => refusalHandler({ workspace, credentials }, refsOf(server)),
    processes,
    context: {
      ...{ log, clock, env: childEnv, workspaceRoot: workspace.root, containerOwner },
      openWay: serverWay({ plugins, log, addressesOf }),
    },
  });

const refsOf = ({ credentialsRef, config }: LinkedServer): readonly string[] =>
  credentialsRef === null ? credentialRefs(JSON.stringify(config)) : [credentialsRef];

/**
 * What keeps its references until it is used; a command line never holds a secret, and is what was
 * written.
 */
const LATE: readonly string[] = ['endpoint', 'env', 'headers'];

/** Where a server names its credential, its templates may use no other. */
async function settingsOf(credentials: CredentialService, server: LinkedServer): Promise<JsonObject> {
  const late = Object.fromEntries(Object.entries(server.config).filter(([key]) => LATE.includes(key)));
  return {
    ...server.config,
    ...(await renderConfig(credentials, late, server.credentialsRef === null ? null : [server.credentialsRef])),
  };
}

/**
 * A server that is to run in a container is told what the machine says of containers; an image that
 * is written comes first.
 */
function sandboxOf({ config }: LinkedServer, { runtime, image }: ContainerDefaults): JsonObject {
  if (config.sandboxed !== true) return {};
  const isWritten = typeof config.sandbox_image === 'string';
  return {
    ...(runtime === null ? {} : { container_runtime: runtime }),
    ...(image === null || isWritten ? {} : { sandbox_image: image }),
  };
}
