import type { Job } from '../domain/job.js';
import type { ChildRuns } from '../domain/ports/child-runs.js';
import type { BootSession, SessionParts } from './open-session.js';

/** The runs that a run of this session asks for; the use case is loaded with the first of them. */
export function openChildRuns({ ids, clock }: Pick<SessionParts, 'ids' | 'clock'>, session: BootSession, caller: Job): ChildRuns {
  let opened: Promise<ChildRuns> | undefined;
  const runs = (): Promise<ChildRuns> => (opened ??= open());
  async function open(): Promise<ChildRuns> {
    const [{ createChildRuns }, { prepareRun }] = await Promise.all([import('../app/submit/child-runs.js'), import('../app/submit/prepare-run.js')]);
    const prepare = { ...session.prepare, workspace: session.workspace, onInputRejected: async () => undefined };
    return createChildRuns({ ids, clock, stores: session.openStores, prepare: (request) => prepareRun(prepare, request) }, caller);
  }
  return {
    depth: async () => (await runs()).depth(),
    get: async (id) => (await runs()).get(id),
    submit: async (request) => (await runs()).submit(request),
    goOn: async (id) => (await runs()).goOn(id),
    stop: async (id) => (await runs()).stop(id),
  };
}
