import type { Fence, Job } from '../domain/job.js';
import type { RunWrite, StepRow } from '../domain/journal.js';

/** What a run begins with: each step as it ended elsewhere, and nothing said about it. */
export const begunWith = (steps: readonly StepRow[]): readonly RunWrite[] => steps.map((row) => ({ op: 'step.started', row, events: [] }));

/** The fence of a claim that has just been made. */
export const fenceOf = ({ id, workerId, attempt }: Job): Fence => ({ jobId: id, workerId: workerId ?? '', attempt });
