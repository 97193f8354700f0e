import { nameBeside } from '../../domain/job.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Clock, Ids, Log } from '../../domain/ports/system.js';
import type { TriggerSpec } from '../../domain/ports/triggers.js';
import type { Submitter } from '../../domain/submitter.js';
import { entryEvent } from '../entry-events.js';
import type { FiredTarget } from './triggers-app.js';

/** What recording needs. */
export interface RecordDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** One firing and what came of it. */
export interface Firings {
  readonly trigger: TriggerSpec;
  readonly occurrence: string | null;
  /** The person who asked for it; null: it fired by itself. */
  readonly by: Pick<Submitter, 'identity' | 'clientName'> | null;
  readonly targets: readonly FiredTarget[];
}

/**
 * Audits a firing. The runs are started already: a log that cannot be written is said and undoes
 * none of them.
 */
export async function recordFiring(
  deps: RecordDeps,
  stores: Pick<Stores, 'events'>,
  { trigger, occurrence, by, targets }: Firings,
): Promise<void> {
  const event = entryEvent(deps, {
    type: 'trigger.fired',
    topology: trigger.targets.find((target) => target.kind === 'topology')?.topology ?? '',
    payload: {
      trigger: trigger.id,
      type: trigger.type,
      occurrence,
      by: by?.identity ?? null,
      ...(by === null ? {} : nameBeside(by)),
      targets: targets.map(({ target, jobId, refusal }) => ({ target, job_id: jobId, refused: refusal?.code ?? null })),
    },
  });
  await stores.events.append(event, {}).catch((error: unknown) => {
    deps.log.error(`the firing of trigger ${trigger.id} could not be audited`, {
      trigger: trigger.id,
      error: String(error),
    });
  });
}
