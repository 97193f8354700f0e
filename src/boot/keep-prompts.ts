import type { Job } from '../domain/job.js';
import type { KeptPrompt, PromptBounds } from '../domain/ports/prompts.js';
import type { Stores } from '../domain/ports/stores.js';
import type { Log } from '../domain/ports/system.js';
import type { RunFacilities } from '../worker/facilities.js';
import { keptPrompt } from '../worker/kept-prompt.js';

/** Beside KIT_DEBUG_PROMPTS, which is the count: a store that is looked into never grows by more, and forgets after a week. */
const BOUNDS = { bytes: 16 * 1024 * 1024, ageMs: 7 * 24 * 60 * 60 * 1000 } as const;

interface Keeping {
  readonly job: Job;
  readonly openStores: () => Promise<Pick<Stores, 'prompts'>>;
  readonly log: Pick<Log, 'debug'>;
  /** Calls that the store keeps; >= 1. */
  readonly count: number;
}

/** Keeps what models are asked and answer, for `kit debug`. No run waits for it but at its end, and none fails by it. */
export function keepPrompts(facilities: RunFacilities, { job, openStores, log, count }: Keeping): RunFacilities {
  const bounds: PromptBounds = { ...BOUNDS, count };
  const waiting: KeptPrompt[] = [];
  let writing: Promise<void> | null = null;
  const write = async (): Promise<void> => {
    try {
      const { prompts } = await openStores();
      // What is asked meanwhile shares the next write.
      while (waiting.length > 0) await prompts.keep(waiting.splice(0), bounds);
    } catch (error) {
      log.debug('calls of models are not kept', { job: job.id, error: facilities.mask(error instanceof Error ? error.message : String(error)) });
    } finally {
      writing = null;
    }
  };
  return {
    ...facilities,
    onAsked: (asked) => {
      waiting.push(keptPrompt(asked, { jobId: job.id, mask: facilities.mask }));
      writing ??= write();
    },
    dispose: async () => {
      await writing;
      await facilities.dispose();
    },
  };
}
