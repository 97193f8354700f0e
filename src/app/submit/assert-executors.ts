import type { AgentNode } from '../../domain/agent-node.js';
import { KitError } from '../../domain/errors.js';
import type { PluginHost } from '../../domain/extension-points.js';
import { hintForMissing } from '../../domain/missing-contribution.js';
import { issueText } from '../../lib/json-pointer.js';
import { type LoadSchemas, loadJsonSchemas } from '../../lib/json-schema.js';
import { hintFor } from '../../lib/nearest.js';

/**
 * Every agent that a harness or a plugin's executor carries out finds it installed, with a
 * configuration that fits its schema, before the first step of a run.
 *
 * Throws KIT_EXECUTOR_UNKNOWN, KIT_PLUGIN_CONFIG_INVALID naming the agent and each place that does
 * not fit.
 */
export async function assertExecutors(
  plugins: Pick<PluginHost, 'find' | 'list'>,
  agents: readonly AgentNode[],
  load: LoadSchemas = loadJsonSchemas,
): Promise<void> {
  for (const node of agents) {
    const { executor } = node;
    if (executor.kind === 'model') continue;
    const name = executor.kind === 'harness' ? 'harness' : executor.ref;
    const info = plugins.find('executors', name);
    if (info === null) {
      throw new KitError(
        'KIT_EXECUTOR_UNKNOWN',
        `${node.id} is executed by ${name}, and no installed plugin brings that executor`,
        {
          hint: hintFor(
            name,
            plugins.list('executors').map((one) => one.name),
            { fallback: hintForMissing(`the executor ${name}`) },
          ),
          data: { executor: name, agent: node.id, wants: { point: 'executors', name } },
        },
      );
    }
    if (info.configSchema === null) continue;
    // Loaded only for a run that has such an agent.
    const issues = (await load()).validate(info.configSchema, executor.config);
    if (issues.length === 0) continue;
    const list = issues.map(issueText).join('; ');
    throw new KitError(
      'KIT_PLUGIN_CONFIG_INVALID',
      `executor.config of ${node.id} (archetype ${node.archetype ?? '-'}) does not fit ${info.id}: ${list}`,
      {
        data: { agent: node.id, executor: name, issues },
      },
    );
  }
}
