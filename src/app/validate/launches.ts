import { isBundled } from '../../compile/builtin/bundled.js';
import type { Linked } from '../../compile/link/link-workspace.js';
import type { Art } from '../../compile/link/registries.js';
import { adapterRefsOf, workersOf } from '../../compile/link/walk-agents.js';
import { objectsAt, textAt, textsAt } from '../../compile/read.js';
import { pointerTo } from '../../lib/pointer-to.js';
import type { LaunchEntry } from '../workspace-report.js';

function adapterLaunches(linked: Linked): readonly LaunchEntry[] {
  const used = new Set(
    [...linked.topologies.values()].flatMap((topology) => [
      ...adapterRefsOf(workersOf(topology.root, (id) => linked.funnels.get(id))),
    ]),
  );
  return [...used].flatMap((id) => {
    const adapter = linked.catalogue.adapters.get(id);
    if (adapter === undefined) return [];
    return [
      {
        kind: 'adapter' as const,
        id,
        argv: adapter.value.spec.launch.command,
        span: isBundled(adapter) ? null : adapter.spanOf('/spec/launch/command'),
      },
    ];
  });
}

function commandLaunches(config: Art): readonly LaunchEntry[] {
  return objectsAt(config.raw, 'command_packs').flatMap((pack, packIndex) =>
    objectsAt(pack, 'commands').map(
      (command, index): LaunchEntry => ({
        kind: 'command',
        id: `${textAt(pack, 'id') ?? ''}/${textAt(command, 'id') ?? ''}`,
        argv: textsAt(command, 'argv'),
        span: config.spanOf(pointerTo('', 'command_packs', packIndex, 'commands', index, 'argv')),
      }),
    ),
  );
}

const serverLaunches = (config: Art): readonly LaunchEntry[] =>
  objectsAt(config.raw, 'mcp_servers').flatMap((server, index): readonly LaunchEntry[] =>
    textAt(server, 'transport') !== 'stdio'
      ? []
      : [
          {
            kind: 'mcp_server',
            id: textAt(server, 'id') ?? '',
            argv: textsAt(server, 'command'),
            span: config.spanOf(pointerTo('', 'mcp_servers', index, 'command')),
          },
        ],
  );

/**
 * Every command line that a run of the workspace can start (docs/design/decisions.md#launch-list),
 * as written: no variable is expanded.
 */
export const launchesOf = (linked: Linked): readonly LaunchEntry[] => [
  ...adapterLaunches(linked),
  ...commandLaunches(linked.registries.config),
  ...serverLaunches(linked.registries.config),
];
