import { messageOf } from '../../domain/errors.js';
import type { PanelVerdict, SkillStrategy, Vote } from '../../domain/ports/skill-strategy.js';
import type { RunServices } from '../services.js';
import { StepFailure } from '../step-failure.js';

const WORDS: readonly unknown[] = ['pass', 'fail', 'needs-revision'];

/**
 * The strategy of a plugin, held to what the point promises: what throws, or says no verdict, fails
 * the call of the panel and passes nothing.
 */
export async function pluginStrategy(
  services: Pick<RunServices, 'strategy'>,
  nameOrId: string,
): Promise<SkillStrategy> {
  const made = await services.strategy(nameOrId);
  const decide = (votes: readonly Vote[]): PanelVerdict => {
    const said: unknown = guarded(nameOrId, () => made.decide(votes));
    if (!isVerdict(said)) throw new StepFailure('strategy_failed', `the strategy ${nameOrId} came to no verdict`);
    const { verdict, confidence, reasoning } = said;
    return { verdict, confidence, reasoning };
  };
  if (made.isSettled === undefined) return { decide };
  return { decide, isSettled: (votes) => guarded(nameOrId, () => made.isSettled?.(votes) === true) };
}

function guarded<T>(name: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new StepFailure('strategy_failed', `the strategy ${name} failed: ${messageOf(error)}`);
  }
}

function isVerdict(said: unknown): said is PanelVerdict {
  if (typeof said !== 'object' || said === null) return false;
  const { verdict, confidence, reasoning }: Readonly<Record<string, unknown>> = { ...said };
  return (
    WORDS.includes(verdict) &&
    typeof confidence === 'number' &&
    confidence >= 0 &&
    confidence <= 1 &&
    typeof reasoning === 'string'
  );
}
