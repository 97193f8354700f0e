import { messageOf } from '../domain/errors.js';
import type { Job } from '../domain/job.js';
import type { PromptBounds, PromptKeeper } from '../domain/ports/prompts.js';
import type { Stores } from '../domain/ports/stores.js';
import type { Log } from '../domain/ports/system.js';
import type { RunFacilities } from '../worker/facilities.js';
import { keptCalls } from '../worker/kept-prompt.js';

/**
 * Beside KIT_DEBUG_PROMPTS, which is the count: a store that is looked into never grows by more,
 * and forgets after a week.
 */
const BOUNDS = { bytes: 16 * 1024 * 1024, ageMs: 7 * 24 * 60 * 60 * 1000 } as const;

interface Keeping {
  readonly openStores: () => Promise<Pick<Stores, 'prompts'>>;
  readonly log: Pick<Log, 'debug'>;
  /** Calls that the store keeps; >= 1. */
  readonly count: number;
}

/**
 * Keeps what models are asked and answer, for `kit debug`. No run waits for it but at the end of a
 * claim, and none fails by it.
 */
export async function keepPrompts(
  facilities: RunFacilities,
  job: Pick<Job, 'id' | 'attempt'>,
  { openStores, log, count }: Keeping,
): Promise<RunFacilities> {
  // Whoever keeps the facilities as they were keeps them twice for as long as the run goes on.
  const { mask, secretsKnown = () => 0, dispose } = facilities;
  const { id } = job;
  const isLost = (error: unknown): null => {
    log.debug('calls of models are not kept', {
      job: id,
      error: mask(messageOf(error)),
    });
    return null;
  };
  const bounds: PromptBounds = { ...BOUNDS, count };
  const keeper: PromptKeeper | null = await openStores()
    .then(({ prompts }) => prompts.keeper(bounds))
    .catch(isLost);
  if (keeper === null) return facilities;
  const kept = keptCalls({ jobId: id, attempt: job.attempt, mask, secretsKnown });
  const flush = async (): Promise<void> => {
    await keeper.runEnded().catch(isLost);
  };
  return {
    ...facilities,
    onAsked: (asked) => keeper.hold(kept(asked)),
    flush,
    dispose: async () => {
      await flush();
      await dispose();
    },
  };
}
