import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useAsked, useLive } from '../api/live.js';
import { useSession } from '../api/session.js';
import type { Job } from '../api/types.js';
import { FilterChoice, FilterField, useFilters } from '../parts/filter.js';
import { Ago, Empty, Loading, Problem, Status } from '../parts/small.js';
import { duration, money } from '../parts/words.js';

const PAGE = 200;
const ROW_PX = 56;
const STATUSES = ['running', 'deferred', 'queued', 'completed', 'failed', 'stopped'];

const FILTERS = ['status', 'topology', 'correlation_id', 'source'];

/** The newest page is live; older ones are read as one scrolls. */
export function Runs() {
  const { get, set, chosen } = useFilters(FILTERS);
  const query = new URLSearchParams([
    ['limit', String(PAGE)],
    ...chosen.map(([name, value]) => [name, value]),
  ]).toString();
  const newest = useAsked<readonly Job[]>(`/jobs?${query}`);
  const older = useOlder(query);
  const jobs = useMemo(() => merged(newest.data ?? [], older.jobs), [newest.data, older.jobs]);
  return (
    <section className="full">
      <header className="page">
        <h1>Runs</h1>
        <FilterChoice
          name="status"
          label="Status"
          value={get('status')}
          set={set}
          options={STATUSES}
          all="every status"
        />
        <FilterField name="topology" label="Topology" value={get('topology')} set={set} />
        <FilterField name="correlation_id" label="Correlation id" value={get('correlation_id')} set={set} />
      </header>
      {newest.error !== null && <Problem error={newest.error} again={newest.again} />}
      {newest.data === null && newest.error === null ? (
        <Loading />
      ) : jobs.length === 0 ? (
        <Empty>{query === `limit=${PAGE}` ? 'Nothing has run here yet.' : 'No run is like that.'}</Empty>
      ) : (
        <List jobs={jobs} more={() => older.more(jobs.at(-1)?.id ?? null)} hasMore={!older.isEnd} />
      )}
    </section>
  );
}

/** Rows of the live page count; behind them those that were read before. */
function merged(newest: readonly Job[], older: readonly Job[]): readonly Job[] {
  const known = new Set(newest.map(({ id }) => id));
  return [...newest, ...older.filter(({ id }) => !known.has(id))];
}

function useOlder(query: string) {
  const { client } = useSession();
  const [state, setState] = useState<{ readonly jobs: readonly Job[]; readonly isEnd: boolean }>({
    jobs: [],
    isEnd: false,
  });
  const asking = useRef(false);
  useEffect(() => setState({ jobs: [], isEnd: false }), [query]);
  const more = async (before: string | null): Promise<void> => {
    if (asking.current || before === null) return;
    asking.current = true;
    try {
      const page = await client.get<readonly Job[]>(`/jobs?${query}&before=${before}`);
      setState((last) => ({ jobs: [...last.jobs, ...page], isEnd: page.length < PAGE }));
    } catch {
      // The newest page says what is wrong; scrolling asks again.
    } finally {
      asking.current = false;
    }
  };
  return { ...state, more: (before: string | null) => void more(before) };
}

function List({
  jobs,
  more,
  hasMore,
}: {
  readonly jobs: readonly Job[];
  readonly more: () => void;
  readonly hasMore: boolean;
}) {
  const box = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count: jobs.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  const isNearEnd = jobs.length >= PAGE && last >= jobs.length - 20;
  useEffect(() => {
    if (isNearEnd && hasMore) more();
  }, [isNearEnd, jobs.length]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
    <section ref={box} className="scroll" tabIndex={0} aria-label="Runs">
      <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {shown.map(({ index, start }) => {
          const job = jobs[index];
          return job === undefined ? null : (
            <div key={job.id} className="run-row" style={{ transform: `translateY(${start}px)` }}>
              <Row job={job} />
            </div>
          );
        })}
      </div>
    </section>
  );
}

function Row({ job }: { readonly job: Job }) {
  const { tick } = useLive();
  const wall =
    job.started_at === null
      ? null
      : (Date.parse(job.completed_at ?? new Date().toISOString()) - Date.parse(job.started_at)) / 1000;
  return (
    <Link href={`/runs/${job.id}`} data-tick={job.status === 'running' ? tick : 0}>
      <span className="line">
        <Status status={job.status} /> <strong>{job.topology}</strong>
        <span className="quiet">{job.id.slice(0, 8)}</span>
        <span className="far quiet">
          <Ago at={job.created_at} />
        </span>
      </span>
      <span className="line quiet">
        {job.submitted_by.identity}, {money(job.usage?.cost_usd ?? null)}
        {wall !== null && `, ${duration(wall)}`}
        {job.correlation_id !== null && `, ${job.correlation_id}`}
        {job.error !== null && `, ${job.error}`}
      </span>
    </Link>
  );
}
