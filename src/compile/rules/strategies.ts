import type { ContributionInfo } from '../../domain/extension-points.js';
import { HOW_TO_INSTALL, type WantedContribution } from '../../domain/missing-contribution.js';
import type { Linked } from '../link/link-workspace.js';
import type { Checked } from '../link/registries.js';
import { missing, type Report } from '../report.js';

/** What a rule knows of a contribution to `skillStrategies`. */
export type StrategyFacts = Pick<ContributionInfo, 'id' | 'name'>;

interface Host {
  /** Null = not known here, so that none is missed. */
  readonly skillStrategies: readonly StrategyFacts[] | null;
}

interface Problem {
  readonly pointer: string;
  readonly message: string;
  readonly help?: string | undefined;
  readonly wants?: WantedContribution;
}

/**
 * `strategy: custom` of a composed skill is the strategy of a plugin: the one that `strategy_class`
 * names, or else the only one there is.
 */
export function checkStrategies(linked: Linked, { skillStrategies: known }: Host, report: Report): void {
  for (const artifact of linked.registries.skills.values()) {
    const problem = problemOf(artifact, known);
    if (problem === null) continue;
    const { pointer, ...rest } = problem;
    report.add({ artifact, pointer }, { code: 'skill.strategy-custom', ...rest });
  }
}

const BUILT_IN = 'or write `parallel-consensus` or `sequential`';

function problemOf(artifact: Checked<'Skill'>, known: Host['skillStrategies']): Problem | null {
  const { implementation } = artifact.value;
  if (implementation.type !== 'composed') return null;
  const name = implementation.strategy_class;
  const atClass = '/implementation/strategy_class';
  if (implementation.strategy !== 'custom')
    return name === undefined
      ? null
      : {
          pointer: atClass,
          message: '`strategy_class` stands beside `strategy: custom` alone',
          help: 'write `strategy: custom`',
        };
  if (known === null) return null;
  const names = known.map((one) => one.name);
  if (name !== undefined) {
    if (known.some((one) => one.id === name || one.name === name)) return null;
    return {
      pointer: atClass,
      message: `no installed plugin contributes the strategy \`${name}\``,
      ...missing('skillStrategies', name, names),
    };
  }
  const at = '/implementation/strategy';
  if (known.length === 0)
    return {
      pointer: at,
      message: 'no installed plugin contributes a strategy',
      help: `${HOW_TO_INSTALL}; ${BUILT_IN}`,
    };
  if (known.length === 1) return null;
  return {
    pointer: at,
    message: `several plugins contribute a strategy: ${names.join(', ')}`,
    help: `name one as \`strategy_class\`, ${BUILT_IN}`,
  };
}
