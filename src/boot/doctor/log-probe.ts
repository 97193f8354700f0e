import { skipped } from '../../app/doctor/checks/check.js';
import { checkLogs } from '../../app/doctor/checks/logs.js';
import type { Probe } from '../../app/doctor/run-probes.js';
import type { Stores } from '../../domain/ports/stores.js';
import { createClock } from '../../system/clock.js';

/** What looking at the logs of runs takes. */
export interface LogParts {
  /** `--full`: all of them, however long it takes. */
  readonly full: boolean;
  /** False: opening the store would make it, or bring its schema to another version. */
  readonly isCurrent: () => Promise<boolean>;
  readonly openStores: () => Promise<Stores | null>;
}

/** The logs of the runs, where the store can be opened without a change. */
export const logProbe = ({ full, isCurrent, openStores }: LogParts): Probe => ({
  id: 'logs',
  ...(full ? { isUnbounded: true } : {}),
  look: async () => {
    // A store that cannot be asked says so by a check of its own.
    const stores = (await isCurrent().catch(() => false)) ? await openStores() : null;
    return [stores === null ? skipped('logs', 'there is no store of this version') : await checkOpened(stores, full)];
  },
});

const checkOpened = (stores: Stores, full: boolean) => checkLogs(stores, { full, clock: createClock() });
