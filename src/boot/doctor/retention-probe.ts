import { skipped } from '../../app/doctor/checks/check.js';
import { checkRetention } from '../../app/doctor/checks/retention.js';
import type { Probe } from '../../app/doctor/run-probes.js';
import type { GrowthReport } from '../../view/storage-report.js';

/** What looking at how a store grows takes. */
export interface RetentionParts {
  /** False: opening the store would make it, or bring its schema to another version. */
  readonly isCurrent: () => Promise<boolean>;
  readonly growth: () => Promise<GrowthReport>;
}

/** How large the store is and what is due, where it can be opened without a change. */
export const retentionProbe = ({ isCurrent, growth }: RetentionParts): Probe => ({
  id: 'retention',
  // A store that cannot be asked says so by a check of its own.
  look: async () => [
    (await isCurrent().catch(() => false))
      ? checkRetention(await growth())
      : skipped('retention', 'there is no store of this version'),
  ],
});
