import type { Kin } from './family.js';
import type { JobRow } from './job-row.js';

/** What of the row of a run, read under its fence, decides about its writes. */
export type FencedRow = Kin &
  Pick<
    JobRow,
    'ord' | 'labels' | 'correlation_id' | 'crashes' | 'topology' | 'stop_requested_at' | 'stop_requested_by'
  >;
