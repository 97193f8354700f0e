import type { AttachmentRef } from '../../domain/job.js';
import type { RunSnapshot } from '../../domain/snapshot.js';

/** Which run it is, and what decides its work: the same at every attempt. */
export interface RunIdentity {
  readonly jobId: string;
  /** First part of the refs of its artifacts; the job id where the run has none. */
  readonly correlationId: string | null;
  /** W3C `traceparent` of who submitted the run; null = the run begins a trace of its own. */
  readonly traceParent: string | null;
  readonly snapshot: RunSnapshot;
  readonly attachments: readonly AttachmentRef[];
}
