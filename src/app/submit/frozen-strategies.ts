import { KitError } from '../../domain/errors.js';
import type { ContributionInfo, PluginHost } from '../../domain/extension-points.js';
import type { LinkedSkill } from '../../domain/linked-skill.js';
import { HOW_TO_INSTALL } from '../../domain/missing-contribution.js';
import { hintFor } from '../../lib/nearest.js';

/**
 * Skills with the strategy of each panel settled: `custom` names its contribution by id from here
 * on, whatever is installed beside it later. Throws KIT_PLUGIN_UNKNOWN; a rule has said so where
 * the plugins were known when the workspace was read.
 */
export function frozenStrategies(
  skills: readonly LinkedSkill[],
  plugins: Pick<PluginHost, 'find' | 'list'>,
): readonly LinkedSkill[] {
  return skills.map((skill) => {
    const { implementation } = skill;
    if (implementation.type !== 'composed' || implementation.strategy !== 'custom') return skill;
    const found = strategyFor(implementation.strategyClass, plugins);
    if (found !== null) return { ...skill, implementation: { ...implementation, strategyClass: found.id } };
    const { strategyClass: name } = implementation;
    const what = name ?? 'exactly one strategy';
    throw new KitError(
      'KIT_PLUGIN_UNKNOWN',
      `the skill ${skill.id} has the strategy custom, and no plugin contributes ${what}`,
      {
        hint: hintFor(
          name ?? '',
          plugins.list('skillStrategies').map((one) => one.name),
          {
            fallback: `Name an installed one as \`strategy_class\`; ${HOW_TO_INSTALL}.`,
          },
        ),
        data: name === undefined ? {} : { wants: { point: 'skillStrategies', name } },
      },
    );
  });
}

function strategyFor(name: string | undefined, plugins: Pick<PluginHost, 'find' | 'list'>): ContributionInfo | null {
  if (name !== undefined) return plugins.find('skillStrategies', name);
  const [only, ...others] = plugins.list('skillStrategies');
  return only !== undefined && others.length === 0 ? only : null;
}
