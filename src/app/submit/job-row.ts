import { KitError } from '../../domain/errors.js';
import type { Job, RunRequest } from '../../domain/job.js';
import { ENGINE } from '../../domain/journal.js';
import type { LinkedTopology } from '../../domain/linked-topology.js';
import type { NewJob } from '../../domain/ports/stores.js';
import { acceptTraceParent } from '../../lib/trace-context.js';

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
export interface JobFacts extends Pick<Job, 'jobClass' | 'needs' | 'input' | 'attachments'> {
  readonly topology: Pick<LinkedTopology, 'name' | 'version'>;
  readonly snapshotDigest: string;
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
    callerJobId: request.callerJobId ?? null,
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
    ...(request.asked === undefined ? {} : { onBehalfOf: request.asked.onBehalfOf }),
  };
}

/** Bounds of the column that the queue is sorted by. */
const [LOWEST, HIGHEST] = [-(2 ** 31), 2 ** 31 - 1];

/** The rank of a run in the queue; `warning`: what of the label could not be taken as it stands. */
export interface Priority {
  readonly value: number;
  readonly warning: string | null;
}

/**
 * From the label `priority`: a whole number, the highest is claimed first. One beyond ±2^31 counts
 * as the bound, and what is not a whole number as 0, both with a warning.
 */
export function priorityOf(labels: Readonly<Record<string, string>>): Priority {
  const text = Object.hasOwn(labels, 'priority') ? (labels.priority ?? '') : null;
  if (text === null) return { value: 0, warning: null };
  const shown = JSON.stringify(text.slice(0, 40));
  if (!/^\s*[+-]?\d+\s*$/.test(text))
    return { value: 0, warning: `the label priority is ${shown}, no whole number: it counts as 0` };
  const asked = Number(text);
  const value = Math.min(HIGHEST, Math.max(LOWEST, asked));
  if (value === asked) return { value: value === 0 ? 0 : value, warning: null };
  return { value, warning: `the label priority is ${shown}: it counts as ${value}` };
}
