import type { AttachmentRef, JobClass, JobNeeds, RunRequest } from '../../domain/job.js';
import { ENGINE } from '../../domain/journal.js';
import type { NewJob } from '../../domain/ports/stores.js';
import type { LinkedTopology } from '../../domain/workspace.js';
import { acceptTraceParent } from '../../lib/trace-context.js';

/** What of a row the request does not say. */
export interface JobFacts {
  readonly topology: Pick<LinkedTopology, 'name' | 'version'>;
  readonly jobClass: JobClass;
  readonly snapshotDigest: string;
  readonly needs: JobNeeds;
  readonly input: string;
  readonly attachments: readonly AttachmentRef[];
}

/** The row of a run that was asked for. */
export function jobOf(request: RunRequest, facts: JobFacts): Omit<NewJob, 'id'> {
  const { topology } = facts;
  return {
    topology: topology.name,
    version: topology.version,
    input: facts.input,
    correlationId: request.correlationId,
    labels: request.labels,
    parentJobId: request.supersedes,
    source: request.source,
    submittedBy: request.submittedBy,
    jobClass: facts.jobClass,
    priority: priorityOf(request.labels),
    engine: ENGINE,
    needs: facts.needs,
    snapshot: facts.snapshotDigest,
    recover: request.recover,
    timeoutMs: request.timeoutMs,
    attachments: facts.attachments,
    traceParent: acceptTraceParent(request.traceParent),
  };
}

/** From the label `priority`: integer text; anything else is 0. */
function priorityOf(labels: RunRequest['labels']): number {
  const text = labels.priority ?? '';
  const value = /^-?\d{1,9}$/.test(text) ? Number(text) : 0;
  return value;
}
