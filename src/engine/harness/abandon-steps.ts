import { isNotDone } from '../outage.js';
import type { RunServices } from '../services.js';
import { inDoubtEvent } from '../step-ends.js';
import { StepWriter } from '../step-writer.js';

const IN_DOUBT = {
  status: 'failed',
  reason: 'in_doubt',
  message: 'the process died while this was under way, and the session never came back to it',
} as const;

/**
 * Ends what a crash left open below a prefix of keys and nothing comes by again: whether it took
 * effect is not known, and is said by name. What only waited for another side was not done.
 */
export function abandonSteps({ steps: { deps } }: Pick<RunServices, 'steps'>, prefix: string): void {
  for (const row of [...deps.session.all()]) {
    if (row.outcome !== null || !row.key.startsWith(prefix)) continue;
    const isDoubt = row.kind === 'tool' && !isNotDone(row);
    const events = isDoubt ? [inDoubtEvent({ ...row, onInDoubt: 'fail' }, row)] : [];
    new StepWriter(deps, { ...row, attempt: row.attempt + 1 }).end({ outcome: IN_DOUBT, events });
  }
}
