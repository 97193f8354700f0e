import { KitError } from '../../domain/errors.js';
import type { AttachmentRef, JobClass, RunRequest } from '../../domain/job.js';
import type { JobNeeds } from '../../domain/job-needs.js';
import { ENGINE } from '../../domain/journal.js';
import type { NewJob } from '../../domain/ports/stores.js';
import type { LinkedTopology } from '../../domain/workspace.js';
import { acceptTraceParent } from '../../lib/trace-context.js';
import { priorityOf } from './priority.js';

/**
 * String to string, at most 64, key up to 128 and value up to 1024 characters
 * (docs/design/decisions.md#labels). Throws KIT_LABEL_INVALID.
 */
export function assertLabels(labels: RunRequest['labels']): void {
  const entries = Object.entries(labels);
  const bad = entries.find(([key, value]) => key === '' || key.length > 128 || value.length > 1024);
  if (entries.length > 64)
    throw new KitError('KIT_LABEL_INVALID', `a run carries at most 64 labels, not ${entries.length}`);
  if (bad !== undefined)
    throw new KitError(
      'KIT_LABEL_INVALID',
      `the label ${bad[0].slice(0, 128)} is too long: a key has 1 to 128 characters, a value up to 1024`,
    );
}

/** What submit decided about a run, for its row. */
export interface JobFacts {
  readonly topology: Pick<LinkedTopology, 'name' | 'version'>;
  readonly jobClass: JobClass;
  readonly snapshotDigest: string;
  readonly needs: JobNeeds;
  readonly input: string;
  readonly attachments: readonly AttachmentRef[];
}

/** The row of a run; the store gives it its id. */
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
    priority: priorityOf(request.labels).value,
    engine: ENGINE,
    needs: facts.needs,
    snapshot: facts.snapshotDigest,
    recover: request.recover,
    timeoutMs: request.timeoutMs,
    attachments: facts.attachments,
    traceParent: acceptTraceParent(request.traceParent),
  };
}
