import { workersOf } from '../../compile/link/walk-agents.js';
import type { AgentNode } from '../../domain/agent-node.js';
import type { ContributionInfo, PluginHost } from '../../domain/extension-points.js';
import type { JobNeeds } from '../../domain/job-needs.js';
import type { RunSnapshot } from '../../domain/snapshot.js';

/** What `needsOf` asks the plugin host; no code of a plugin is loaded for it. */
export type NeedsPlugins = Pick<PluginHost, 'find' | 'report'>;

/**
 * What a process must have to go on with a run (docs/design/journal.md#engine-and-needs): the
 * adapters by digest, and each plugin that is not bundled whose executor, model provider,
 * governance provider, compressor, strategy or source of tools the run uses, from the version that
 * it was submitted with on. The workspace. And what of its `references` it needs.
 */
export function needsOf(
  plugins: NeedsPlugins,
  snapshot: RunSnapshot,
  references: NonNullable<JobNeeds['references']>,
): JobNeeds {
  const used = new Set(contributionsOf(plugins, snapshot).map((info) => info.plugin));
  const foreign = plugins.report().filter((plugin) => plugin.origin !== 'bundled' && used.has(plugin.name));
  return {
    plugins: Object.fromEntries(foreign.map((plugin) => [plugin.name, `^${plugin.version}`])),
    adapters: Object.fromEntries(Object.entries(snapshot.adapters).map(([id, adapter]) => [id, adapter.digest])),
    workspace: snapshot.workspaceId,
    ...(Object.keys(references).length === 0 ? {} : { references }),
  };
}

function contributionsOf(plugins: NeedsPlugins, snapshot: RunSnapshot): readonly ContributionInfo[] {
  const found = [
    ...executorNames(workersOf(snapshot.topology.root, (id) => snapshot.funnels?.[id])).map((name) =>
      plugins.find('executors', name),
    ),
    ...Object.values(snapshot.providers).map((binding) => plugins.find('modelProviders', binding.contribution)),
    plugins.find('governanceProviders', snapshot.governance.provider),
    ...compressorsOf(snapshot).map((name) => plugins.find('compressors', name)),
    ...strategiesOf(snapshot).map((id) => plugins.find('skillStrategies', id)),
    ...Object.values(snapshot.servers ?? {}).map(({ source }) => plugins.find('toolSources', source)),
  ];
  return found.filter((info) => info !== null);
}

/** Those that some rule of the run names with the backend `plugin`. */
function compressorsOf({ compression }: RunSnapshot): readonly string[] {
  if (compression === undefined) return [];
  const rules = [compression, ...compression.overrides];
  const used = rules.filter(({ backend }) => (backend ?? compression.backend) === 'plugin');
  return [...new Set(used.flatMap(({ backendClass }) => backendClass ?? compression.backendClass ?? []))];
}

const strategiesOf = ({ skills }: RunSnapshot): readonly string[] =>
  Object.values(skills).flatMap(({ implementation }) =>
    implementation.type === 'composed' ? (implementation.strategyClass ?? []) : [],
  );

const executorNames = (agents: readonly AgentNode[]): readonly string[] =>
  agents.flatMap(({ executor }) =>
    executor.kind === 'model' ? [] : [executor.kind === 'plugin' ? executor.ref : 'harness'],
  );
