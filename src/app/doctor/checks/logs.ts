import type { Stores } from '../../../domain/ports/stores.js';
import type { DoctorCheck } from '../../../view/doctor-report.js';
import { findLogBreak } from '../../proof/check-log.js';
import { checkRuns, type LookAtRuns } from './newest-runs.js';

/**
 * Whether the logs of the newest runs, or of all, are what was hashed, and the gates what was
 * decided.
 */
export const checkLogs = (
  stores: Pick<Stores, 'jobs' | 'events' | 'reviews' | 'retention'>,
  how: LookAtRuns,
): Promise<DoctorCheck> =>
  checkRuns(
    stores,
    {
      ...{ id: 'logs', what: 'the logs' },
      wrongWith: async (job) => (await findLogBreak(stores, job))?.message ?? null,
      fix: 'Compare the store with a backup: docs/errors.md.',
    },
    how,
  );
