import { KitError } from '../../domain/errors.js';
import type { Job, RunRequest } from '../../domain/job.js';
import type { StepRow } from '../../domain/journal.js';
import type { ChildRuns } from '../../domain/ports/child-runs.js';
import type { Stores, WorkerHost } from '../../domain/ports/stores.js';
import type { Clock, Ids } from '../../domain/ports/system.js';
import type { RunSnapshot } from '../../domain/snapshot.js';
import { entryEvent } from '../entry-events.js';
import { stopJob } from '../stop-job.js';
import { type PrepareChildDeps, prepareChild } from './prepare-child.js';
import { type Submittable, submitRun } from './submit-run.js';

/** What the runs that a run asks for take of the process that executes it. */
export interface ChildRunsDeps {
  readonly stores: () => Promise<Stores>;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly prepare: PrepareChildDeps;
  /** Of this process. */
  readonly host: WorkerHost;
}

/** A run that asks for others: its row, and what it was frozen with. */
export interface Caller {
  readonly job: Job;
  readonly snapshot: Pick<RunSnapshot, 'children' | 'depth'>;
}

/** What a run that goes on from another one asks for may have been asked for before. */
const isRetried = ({ parentJobId, callerJobId }: Job): boolean => parentJobId !== null || callerJobId !== null;

async function begunOf(
  stores: Stores,
  of: { readonly caller: Job; readonly key: string; readonly id: string; readonly prepared: Submittable },
): Promise<readonly StepRow[]> {
  const { retriedChildRows } = await import('../../worker/retried-child.js');
  const { job, snapshotBytes } = of.prepared;
  return retriedChildRows(stores, { ...of, child: { ...job, id: of.id }, snapshotBytes });
}

/** No chain of runs is followed further up. */
const MOST_ANCESTORS = 100;

/**
 * The runs that one run asks for: each goes through the one submit, as a request in the name of
 * whoever submitted the caller.
 */
export function createChildRuns(deps: ChildRunsDeps, { job: caller, snapshot }: Caller): ChildRuns {
  const by = `run ${caller.id}`;
  const get = async (id: string): Promise<Job | null> => own(await (await deps.stores()).jobs.get(id), caller);
  return {
    get,
    depth: async () => (snapshot.depth ?? 0) + (await depthOf(await deps.stores(), caller)),
    submit: async ({ id, key, topology, input, timeoutMs, budget }) => {
      if (caller.needs.cassette !== undefined)
        throw new KitError(
          'KIT_CASSETTE_MISMATCH',
          `a replay calls nobody, and run ${caller.id} asks for a run of ${topology}`,
        );
      const request = requestOf(caller, { id, topology, input, timeoutMs });
      const [stores, prepared] = await Promise.all([
        deps.stores(),
        prepareChild(deps.prepare, { caller: snapshot, request, budget }),
      ]);
      try {
        const begun = isRetried(caller) ? await begunOf(stores, { caller, key, id, prepared }) : [];
        return await submitRun(
          { ...deps, stores },
          { prepared, request, ...(begun.length === 0 ? {} : { begun: { steps: begun, host: deps.host } }) },
        );
      } catch (error) {
        // The process died behind its row: the call is the same, and so is its run.
        const known = error instanceof KitError && error.code === 'KIT_JOB_ID_USED' ? await get(id) : null;
        if (known === null) throw error;
        return known;
      }
    },
    goOn: async (id) => {
      const stores = await deps.stores();
      const job = await get(id);
      if (job?.status !== 'stopped') return;
      const event = entryEvent(deps, {
        type: 'run.resumed',
        topology: job.topology,
        payload: { requested_by: by, from_status: 'stopped' },
      });
      await stores.jobs.resume(id, event).catch(async (error: unknown) => {
        // Somebody else was faster.
        if ((await get(id))?.status === 'stopped') throw error;
      });
    },
    stop: async (id) => {
      if ((await get(id)) !== null) await stopJob({ ...deps, stores: await deps.stores() }, { job: id, by });
    },
  };
}

/** An id is short: one that another run has is not a child. */
function own(job: Job | null, caller: Job): Job | null {
  return job !== null && job.callerJobId === caller.id ? job : null;
}

function requestOf(
  caller: Job,
  of: Pick<RunRequest, 'topology' | 'input' | 'timeoutMs'> & { readonly id: string },
): RunRequest {
  const { correlationId, labels, submittedBy, recover, traceParent } = caller;
  const given = { ...of, attachments: [], correlationId, labels, submittedBy, recover, callerJobId: caller.id };
  return { ...given, supersedes: null, source: 'agent', ...(traceParent === null ? {} : { traceParent }) };
}

async function depthOf(stores: Stores, job: Job): Promise<number> {
  let above: Job | null = job;
  for (let depth = 0; depth < MOST_ANCESTORS; depth += 1) {
    if (above === null || above.callerJobId === null) return depth;
    above = await stores.jobs.get(above.callerJobId);
  }
  return MOST_ANCESTORS;
}
