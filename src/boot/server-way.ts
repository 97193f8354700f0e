import { KitError } from '../domain/errors.js';
import type { PluginHost } from '../domain/extension-points.js';
import type { HostAnswer } from '../domain/ports/container-way.js';
import type { OutboundAddresses } from '../domain/ports/outbound.js';
import type { Log } from '../domain/ports/system.js';
import type { OpenServerWay } from '../domain/ports/tools.js';
import { hostsOnce } from '../lib/hosts-once.js';

/** The executor whose containers have a proxy. */
const EXECUTOR = 'harness';

/**
 * How a tool server in a container comes to its hosts: by the proxy of harnesses, which is the one
 * that kit has. A server may serve many runs, so what it asks for stands in the log of the process,
 * each host and answer once.
 */
export const serverWay =
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
