import type { EventLog } from '../../domain/ports/event-log.js';
import type { Stores, WorkerHost } from '../../domain/ports/stores.js';
import type { Clock, Ids } from '../../domain/ports/system.js';
import { EMPTY_TRACE } from '../../view/run-view.js';
import { gapsOf } from '../../view/schemas/gap.js';
import { type GapsView, NO_GAPS, reduceGaps, type SkillGap } from '../../view/skill-gaps.js';
import { findJob, noRunHere } from '../find-job.js';
import { jobSoFar } from '../jobs/so-far.js';
import type { ObserveApp } from './observe-app.js';
import { readDebug, readPrompts } from './read-debug.js';
import { readInert } from './read-inert.js';
import { checkLogQuery, logReadsOf, readLogs } from './read-logs.js';
import { filterRuns } from './run-filter.js';
import { reportOf, statusOf, summariesOf } from './run-status.js';
import { selectRuns } from './select-runs.js';

const GAPS_PAGE = 1000;

/** See `ObserveApp.gaps`. Reads the events of one type, of every run of the store. */
async function readGaps(events: EventLog): Promise<readonly SkillGap[]> {
  let view: GapsView = NO_GAPS;
  let after = '';
  while (true) {
    const page = await events.read({ types: ['skill.gap'], limit: GAPS_PAGE, ...(after === '' ? {} : { after }) });
    for (const event of page.events) view = reduceGaps(view, event);
    if (!page.hasMore) return gapsOf(view);
    after = page.nextCursor;
  }
}

/** Real parts behind the use cases. */
export interface ObserveDeps {
  readonly clock: Clock;
  /** For the events of a deadline that has passed. */
  readonly ids: Pick<Ids, 'uuid'>;
  readonly host: WorkerHost;
  /**
   * Opens the store of a workspace without reading its YAML; null when it has none yet. Throws
   * KIT_WORKSPACE_NOT_FOUND.
   */
  readonly openStores: (workspace: string) => Promise<Stores | null>;
  /** Takes the secrets that a workspace knows out of what is shown of a request. */
  readonly maskOf: (workspace: string) => Promise<(text: string) => string>;
}

/** Looking at runs, over parts that `boot` hands in. */
export function createObserveApp(deps: ObserveDeps): ObserveApp {
  /**
   * A run whose process died, or whose gate the clock has closed, is shown as what it is
   * (docs/design/journal.md#deadlines).
   */
  const open = async (workspace: string): Promise<Stores | null> => {
    const stores = await deps.openStores(workspace);
    if (stores === null) return null;
    await stores.jobs.sweep(deps.host);
    const { fireDue } = await import('../review/fire-due.js');
    await fireDue({ stores, ids: deps.ids });
    return stores;
  };
  const openFor = async (ask: { readonly workspace: string; readonly run: string }): Promise<Stores> => {
    const stores = await open(ask.workspace);
    if (stores === null) throw noRunHere(ask.run);
    return stores;
  };
  return {
    logs: async (query) => {
      checkLogQuery(query);
      const stores = await open(query.workspace);
      if (stores !== null) return readLogs(logReadsOf(stores), query);
      if (query.run !== null) throw noRunHere(query.run);
      return [];
    },
    status: async ({ workspace, limit, filter }) => {
      const stores = await open(workspace);
      if (stores === null) return [];
      const nowMs = deps.clock.now();
      if (filter !== undefined)
        return summariesOf(stores, await filterRuns(stores.jobs, filter, { limit, nowMs }), nowMs);
      return summariesOf(stores, await selectRuns(stores.jobs, { topology: null, limit }), deps.clock.now());
    },
    wait: async ({ workspace, run, until, signal }) => {
      const stores = await openFor({ workspace, run });
      const { waitForRun } = await import('./wait-run.js');
      return waitForRun(stores, { run, until, signal, settle: async () => void (await open(workspace)) });
    },
    trace: async (ask) => {
      const stores = await openFor(ask);
      const job = await jobSoFar(stores, await findJob(stores, ask.run));
      const status = await statusOf(stores, job, { nowMs: deps.clock.now(), from: EMPTY_TRACE });
      const { lineOf } = await import('./line-of.js');
      return { ...status, line: await lineOf(stores, job) };
    },
    report: async (ask) => {
      const [stores, mask] = await Promise.all([openFor(ask), deps.maskOf(ask.workspace)]);
      return reportOf(stores, { run: ask.run, nowMs: deps.clock.now(), from: EMPTY_TRACE, mask });
    },
    debug: async (query) => readDebug(await openFor(query), query),
    prompts: async (query) => {
      const stores = await deps.openStores(query.workspace);
      return stores === null ? { prompts: [], kept: 0 } : readPrompts(stores, query);
    },
    gaps: async ({ workspace }) => {
      const stores = await deps.openStores(workspace);
      return stores === null ? [] : readGaps(stores.events);
    },
    inert: async ({ workspace }) => {
      const stores = await deps.openStores(workspace);
      return stores === null ? [] : readInert(stores);
    },
  };
}
