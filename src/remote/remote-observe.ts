import type { ObserveApp, RunSummary, RunTrace } from '../app/observe/observe-app.js';
import { checkLogQuery, type LogReads, readLogs } from '../app/observe/read-logs.js';
import type { RunFilter } from '../app/observe/run-filter.js';
import { selectRuns } from '../app/observe/select-runs.js';
import { KitError } from '../domain/errors.js';
import type { StoredEvent } from '../domain/events.js';
import { isParked, isTerminal, type Job } from '../domain/job.js';
import {
  type Fields,
  fieldsOf,
  listOf,
  maybeNumberAt,
  maybeObjectAt,
  numberAt,
  objectsAt,
  textMapAt,
  textsAt,
} from '../lib/read-json.js';
import { RunFold } from '../view/run-fold.js';
import { EMPTY_TRACE, type RunView } from '../view/run-view.js';
import { fromWire } from '../view/schemas/codec.js';
import { fromWireEvent } from '../view/schemas/event.js';
import { GAPS } from '../view/schemas/gap.js';
import { fromWireAsked } from '../view/schemas/item.js';
import { RUN_FIGURES } from '../view/schemas/job.js';
import { eventsUntilNow, followEvents } from './follow-events.js';
import { findRun, isWholeId, jobIn, listRuns, type RemoteContext } from './remote-context.js';

/** Whole runs in one answer at most. */
const PAGE = 50;
/** Between two looks at a run that is parked and is to end. */
const LOOK_MS = 2_000;

/** Gaps, and what is wired and never fired. */
const readGaps = ({ client }: RemoteContext) => client.readAs(GAPS, client.http.GET('/gaps/all'));

/** Looking at runs of a server: what they show is folded here, by the reducer of every view. */
export function remoteObserve(
  context: RemoteContext,
): Pick<ObserveApp, 'logs' | 'status' | 'wait' | 'trace' | 'report' | 'gaps' | 'inert'> {
  const { client } = context;
  return {
    logs: (query) => {
      checkLogQuery(query);
      return readLogs(logReads(context), query);
    },
    status: ({ limit, filter = {} }) => status(context, limit, filter),
    wait: (ask) => wait(context, ask),
    trace: async ({ run }) => {
      const shown = client
        .read(client.http.GET('/jobs/{id}/view', { params: { path: { id: run } } }))
        .then((body) => traced(fieldsOf(body)));
      const id = isWholeId(run) ? run : (await shown).job.id;
      // Both at once where the id is known: its refusal comes first.
      const folding = foldOf(eventsUntilNow(context, { run: id, afterSeq: 0 }));
      folding.catch(() => undefined);
      return { ...(await shown), view: await folding };
    },
    report: async ({ run }) => {
      const fields = fieldsOf(
        await client.read(client.http.GET('/jobs/{id}/report', { params: { path: { id: run } } })),
      );
      const asked = fromWireAsked(fields);
      if (asked === null) throw new KitError('KIT_SERVER_ANSWER', 'the server does not say what was asked of the run');
      const events = objectsAt(fields, 'events').map(fromWireEvent);
      const eventsLeftOut = numberAt(fields, 'events_left_out');
      const { id } = jobIn(fields.job);
      // A page of more events than it shows is still folded over all of them.
      const view =
        eventsLeftOut === 0 ? await foldOf(events) : await foldOf(eventsUntilNow(context, { run: id, afterSeq: 0 }));
      const diffs = maybeObjectAt(fields, 'diffs') === null ? null : textMapAt(fields, 'diffs');
      return { ...traced(fields), view, asked, events, eventsLeftOut, diffs };
    },
    gaps: async () => (await readGaps(context)).gaps.map((gap) => ({ ...gap, inTopologies: [] })),
    inert: async () => (await readGaps(context)).inert,
  };
}

const traced = (fields: Fields): Omit<RunTrace, 'view'> => ({
  job: jobIn(fields.job),
  line: textsAt(fields, 'line'),
  wallMs: maybeNumberAt(fields, 'wall_ms'),
});

async function foldOf(events: AsyncIterable<StoredEvent> | Iterable<StoredEvent>): Promise<RunView> {
  const fold = new RunFold(EMPTY_TRACE);
  for await (const event of events) fold.add(event);
  return fold.view;
}

const logReads = (context: RemoteContext): LogReads => ({
  named: (run) => findRun(context, run),
  newest: async (select) => {
    if (select.topology === null) return (await status(context, select.limit, {})).map(({ job }) => job);
    const rows = await selectRuns(
      { list: ({ limit, beforeId }) => listRuns(context, { limit, ...(beforeId === undefined ? {} : { beforeId }) }) },
      select,
    );
    // A row of such a list holds neither what was asked nor what came of it.
    return Promise.all(rows.map(({ id }) => findRun(context, id)));
  },
  agentsOf: async (run) => {
    const ids = new Set<string>();
    for await (const { type, agentId } of eventsUntilNow(context, { run, afterSeq: 0 }))
      if (type === 'agent.started' && agentId !== null) ids.add(agentId);
    return ids;
  },
  events: (run, { signal, onlyUntilNow }) =>
    onlyUntilNow
      ? eventsUntilNow(context, { run, afterSeq: 0, signal })
      : followEvents(context, { run, afterSeq: 0, signal }),
});

/** As many requests as there are pages; each begins after the last run of the page before. */
async function status(context: RemoteContext, limit: number, filter: RunFilter): Promise<readonly RunSummary[]> {
  const { client } = context;
  const found: RunSummary[] = [];
  let before = filter.beforeId;
  for (;;) {
    const size = Math.min(PAGE, limit - found.length);
    const query = {
      ...queryOf(filter),
      view: '1' as const,
      fields: 'all' as const,
      limit: size,
      ...(before === undefined ? {} : { before }),
    };
    const page = listOf(await client.read(client.http.GET('/jobs', { params: { query } }))).map(summaryOf);
    found.push(...page);
    before = page.at(-1)?.job.id;
    if (page.length < size || found.length >= limit || before === undefined) return found;
  }
}

function queryOf(filter: RunFilter) {
  const { idPrefix, status: statuses, topology, correlationId, labels, youngerThanMs, olderThanMs } = filter;
  return {
    ...(idPrefix === undefined ? {} : { id_prefix: idPrefix }),
    ...(statuses === undefined ? {} : { status: statuses.join(',') }),
    ...(topology === undefined ? {} : { topology }),
    ...(correlationId === undefined ? {} : { correlation_id: correlationId }),
    ...(labels === undefined ? {} : { labels: JSON.stringify(labels) }),
    ...(youngerThanMs === undefined ? {} : { younger_than_ms: youngerThanMs }),
    ...(olderThanMs === undefined ? {} : { older_than_ms: olderThanMs }),
  };
}

function summaryOf(value: unknown): RunSummary {
  const { wallMs, outage, ...figures } = fromWire(RUN_FIGURES, fieldsOf(value).view);
  return { job: jobIn(value), wallMs, outage, figures };
}

/**
 * Follows the stream, which ends with the run; one that is parked and is to end is looked at now
 * and then.
 */
async function wait(context: RemoteContext, { run, until, signal }: Parameters<ObserveApp['wait']>[0]): Promise<Job> {
  let job = await findRun(context, run);
  let seq = 0;
  for (;;) {
    const { id } = job;
    if (isTerminal(job.status) || (until === 'parked' && isParked(job.status)) || signal.aborted) return job;
    if (isParked(job.status)) {
      await context.pause(LOOK_MS, signal);
      job = await findRun(context, id);
      continue;
    }
    const events = followEvents(context, { run: id, afterSeq: seq, signal });
    let next = await events.next();
    for (; next.done !== true; next = await events.next()) seq = next.value.seq;
    job = next.value.job ?? (await findRun(context, id));
  }
}
