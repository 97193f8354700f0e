import { skipped } from '../../app/doctor/checks/check.js';
import type { LookAtRuns } from '../../app/doctor/checks/newest-runs.js';
import type { Probe } from '../../app/doctor/run-probes.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { DoctorCheck } from '../../view/doctor-report.js';

/** What looking at runs takes. */
export interface RunsParts {
  readonly how: LookAtRuns;
  /** False: opening the store would make it, or bring its schema to another version. */
  readonly isCurrent: () => Promise<boolean>;
  readonly openStores: () => Promise<Stores | null>;
}

/** A look at the runs, where the store can be opened without a change. */
export const runsProbe = (
  id: string,
  check: (stores: Stores, how: LookAtRuns) => Promise<DoctorCheck>,
  { how, isCurrent, openStores }: RunsParts,
): Probe => ({
  id,
  ...(how.full ? { isUnbounded: true } : {}),
  look: async () => {
    // A store that cannot be asked says so by a check of its own.
    const stores = (await isCurrent().catch(() => false)) ? await openStores() : null;
    return [stores === null ? skipped(id, 'there is no store of this version') : await check(stores, how)];
  },
});
