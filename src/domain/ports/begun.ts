import type { RunEvent } from '../events.js';
import type { StepRow } from '../journal.js';

/** What a run begins with that goes on from another one. */
export interface Begun {
  readonly status: 'pending' | 'queued';
  readonly events: readonly RunEvent[];
  readonly steps: readonly StepRow[];
}
