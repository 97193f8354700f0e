import { type ChildRunsDeps, createChildRuns } from '../app/submit/child-runs.js';
import { prepareRun } from '../app/submit/prepare-run.js';
import type { Job } from '../domain/job.js';
import type { ChildRuns } from '../domain/ports/child-runs.js';
import type { BootSession, SessionParts } from './open-session.js';

/** The runs that a run of this session asks for. */
export function openChildRuns({ ids, clock }: Pick<SessionParts, 'ids' | 'clock'>, session: BootSession, caller: Job): ChildRuns {
  const deps = { ...session.prepare, workspace: session.workspace, onInputRejected: async () => undefined };
  const prepare: ChildRunsDeps['prepare'] = (request) => prepareRun(deps, request);
  return createChildRuns({ ids, clock, stores: session.openStores, prepare }, caller);
}
