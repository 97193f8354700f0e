import { pointerTo } from '../../lib/pointer-to.js';
import type { Linked } from '../link/link-workspace.js';
import type { Checked } from '../link/registries.js';
import { versionsOf } from '../link/topology-of.js';
import { textAt } from '../read.js';
import { didYouMean, type Report } from '../report.js';

function checkGovernance(config: Checked<'Workspace'>, report: Report): void {
  const { provider, policy_language: language, config: settings = {} } = config.value.governance ?? {};
  if (provider === 'custom' && textAt(settings, 'provider_id') === null) {
    report.add(
      { artifact: config, pointer: '/governance/provider' },
      {
        code: 'governance.custom',
        message: 'the governance provider `custom` names no provider',
        help: 'name the provider of an installed plugin under `governance.config.provider_id`, or write `mock` or `agt`',
      },
    );
  }
  if (language !== undefined && language !== 'yaml' && provider !== 'agt') {
    report.add(
      { artifact: config, pointer: '/governance/policy_language' },
      {
        code: 'governance.language-unused',
        message: `the governance provider \`${provider ?? 'mock'}\` reads no ${language} policies`,
        help: 'write `provider: agt`',
      },
    );
  }
}

function checkRoutes(linked: Linked, config: Checked<'Workspace'>, report: Report): void {
  const names = new Set([...linked.topologies.values()].map((topology) => topology.name));
  config.value.server?.canary?.routes?.forEach(({ topology, versions }, index) => {
    const pointer = pointerTo('', 'server', 'canary', 'routes', index);
    const total = versions.reduce((sum, { weight }) => sum + weight, 0);
    if (total !== 100)
      report.add(
        { artifact: config, pointer: pointerTo(pointer, 'versions') },
        {
          code: 'canary.weights',
          message: `the weights add up to ${total}`,
          help: 'change the weights so that they add up to 100',
        },
      );
    if (!names.has(topology)) {
      report.add(
        { artifact: config, pointer: pointerTo(pointer, 'topology') },
        {
          code: 'canary.unknown-topology',
          message: `no topology is called \`${topology}\``,
          help: didYouMean(topology, names),
        },
      );
      return;
    }
    const known = versionsOf(linked.topologies, topology).map((found) => found.version);
    versions.forEach(({ version: wanted }, at) => {
      const place = { artifact: config, pointer: pointerTo(pointer, 'versions', at, 'version') };
      if (!known.includes(wanted))
        report.add(place, {
          code: 'canary.unknown-version',
          message: `the topology \`${topology}\` has no version ${wanted}`,
          help: `known: ${known.join(', ')}`,
        });
      else if (versions.findIndex((other) => other.version === wanted) !== at)
        report.add(place, { code: 'canary.duplicate-version', message: `the route names version ${wanted} twice` });
    });
  });
}

/** Below it a heartbeat that a busy machine sends late costs the lease. */
const SHORT_LEASE_SECONDS = 10;

function checkLease(config: Checked<'Workspace'>, report: Report): void {
  const seconds = config.value.server?.jobs?.lease_seconds;
  if (seconds === undefined || seconds >= SHORT_LEASE_SECONDS) return;
  report.add(
    { artifact: config, pointer: '/server/jobs/lease_seconds' },
    {
      code: 'server.short-lease',
      severity: 'warning',
      message: `with \`lease_seconds: ${seconds}\` a busy machine counts as dead`,
      help: 'write 10 or more (default 60): another process would take the run over and repeat its running steps',
    },
  );
}

/** Rules on the settings of workspace.yaml that concern no other group. */
export function checkWorkspace(linked: Linked, report: Report): void {
  const { config } = linked.registries;
  checkGovernance(config, report);
  checkRoutes(linked, config, report);
  checkLease(config, report);
}
