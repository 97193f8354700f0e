import { type Caller, createChildRuns } from '../app/submit/child-runs.js';
import type { ChildRuns } from '../domain/ports/child-runs.js';
import { readWorkerHost } from '../system/worker-host.js';
import type { BootSession, SessionParts } from './parts.js';

/** The runs that a run of this session asks for. */
export function openChildRuns(
  { ids, clock }: Pick<SessionParts, 'ids' | 'clock'>,
  session: BootSession,
  caller: Caller,
): ChildRuns {
  const { organisation, team, annotations } = session.workspace;
  const { plugins, schemas, findReferences } = session.prepare;
  const prepare = { plugins, schemas, findReferences, labels: { organisation, team, annotations } };
  return createChildRuns({ ids, clock, host: readWorkerHost(), stores: session.openStores, prepare }, caller);
}
