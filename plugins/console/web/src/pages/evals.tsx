import { useCallback, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useAsked } from '../api/live.js';
import type { EvalCase, EvalReport, EvalRow } from '../api/wire-types.js';
import { TextChanges } from '../parts/diff.js';
import { FilterChoice, useFilters } from '../parts/filter.js';
import { useRows } from '../parts/rows.js';
import { Ago, At, Empty, Fact, Facts, Loading, NotYet, Pre, Problem, Status } from '../parts/small.js';
import { durationMs, moment } from '../parts/words.js';

const MOST = 200;
const NONE: readonly EvalRow[] = [];

interface Reports {
  readonly reports: readonly EvalRow[];
}

const setPath = (set: string): string =>
  `/evals/reports?limit=${MOST}${set === '' ? '' : `&set=${encodeURIComponent(set)}`}`;

const verdict = ({ passed, total }: EvalRow): string => `${passed} of ${total} passed`;

/** Reports of `kit eval`, newest first. */
export function Evals() {
  const { get, set } = useFilters(['set']);
  const { data, error, again } = useAsked<Reports>(setPath(get('set')));
  const all = useAsked<Reports>(setPath(''));
  const sets = useMemo(
    () => [...new Set(all.data?.reports.map(({ eval_set_id: id }) => id))].sort((a, b) => (a < b ? -1 : 1)),
    [all.data],
  );
  const [, go] = useLocation();
  const rows = data?.reports ?? NONE;
  const at = useRows(
    rows,
    useCallback(({ name }: EvalRow) => go(`/evals/${encodeURIComponent(name)}`), [go]),
  );
  return (
    <section>
      <header className="page">
        <h1>Evals</h1>
        <FilterChoice name="set" label="Eval set" value={get('set')} set={set} options={sets} all="every set" />
      </header>
      {error !== null && <Problem error={error} again={again} />}
      {data === null && error === null && <Loading />}
      {data !== null && rows.length === 0 && (
        <Empty>Nothing was evaluated on the machine of this server: `kit eval` there writes a report.</Empty>
      )}
      <ul className="rows">
        {rows.map((row, n) => (
          <li key={row.name} id={`row-${n}`} aria-current={n === at}>
            <Link href={`/evals/${encodeURIComponent(row.name)}`}>
              <span className="line">
                <Status status={row.failed > 0 ? 'failed' : 'ok'} /> <strong>{row.eval_set_id}</strong>
                <span className="quiet">{verdict(row)}</span>
                <span className="far quiet">
                  <Ago at={row.started_at} />
                </span>
              </span>
              <span className="line quiet">
                {row.target}
                {row.not_run.length > 0 && `, interrupted: ${row.not_run.length} not run`}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {rows.length === MOST && <p className="quiet">These are the newest {MOST}.</p>}
    </section>
  );
}

/** One report beside an earlier one of its set: the one before, unless another is chosen. */
export function Report({ name }: { readonly name: string }) {
  const { get, set } = useFilters(['against']);
  const plain = useAsked<EvalReport>(`/evals/reports/${encodeURIComponent(name)}`);
  const setId = plain.data?.eval_set_id ?? null;
  const others = useAsked<Reports>(setId === null ? null : setPath(setId));
  const all = others.data?.reports ?? NONE;
  const before = all[all.findIndex((row) => row.name === name) + 1];
  const against = get('against') || (before?.name ?? '');
  const compared = useAsked<EvalReport>(
    against === '' ? null : `/evals/reports/${encodeURIComponent(name)}?against=${encodeURIComponent(against)}`,
  );
  const earlier = useAsked<EvalReport>(against === '' ? null : `/evals/reports/${encodeURIComponent(against)}`);
  const error = plain.error ?? compared.error ?? earlier.error;
  const { data } = plain;
  if (data === null) return <NotYet error={error} again={plain.again} />;
  return (
    <article>
      <header className="page">
        <p className="quiet">
          <Link href="/evals">Evals</Link> / {data.name}
        </p>
        <h1>{data.eval_set_id}</h1>
        <Status status={data.failed > 0 ? 'failed' : 'ok'} />
        <label className="quiet">
          Compare with{' '}
          <select value={against} onChange={(event) => set('against', event.target.value)}>
            <option value="">{all.length < 2 ? 'no other report of this set' : 'the one before'}</option>
            {all
              .filter((row) => row.name !== name)
              .map((row) => (
                <option key={row.name} value={row.name}>
                  {moment(row.started_at)}, {verdict(row)}
                </option>
              ))}
          </select>
        </label>
      </header>
      {error !== null && <Problem error={error} />}
      <Facts>
        <Fact name="Topology">{data.target}</Fact>
        <Fact name="Verdict">{verdict(data)}</Fact>
        <Fact name="Begun">
          <At at={data.started_at} />
        </Fact>
        {earlier.data !== null && <Fact name="Before">{verdict(earlier.data)}</Fact>}
        {data.not_run.length > 0 && <Fact name="Not run">{data.not_run.join(', ')}</Fact>}
      </Facts>
      {compared.data?.comparison != null && <Comparison comparison={compared.data.comparison} />}
      {against !== '' && earlier.data === null && earlier.error === null ? (
        <Loading />
      ) : (
        <Cases key={`${name} ${against}`} report={data} earlier={earlier.data} />
      )}
    </article>
  );
}

function Comparison({ comparison }: { readonly comparison: NonNullable<EvalReport['comparison']> }) {
  const kinds = ['regressed', 'fixed', 'new', 'removed'] as const;
  return (
    <section className="why" aria-label="Comparison">
      <p>
        <strong>{comparison.trend === 'same' ? 'As before' : `It became ${comparison.trend}`}</strong>
      </p>
      {kinds
        .filter((kind) => comparison[kind].length > 0)
        .map((kind) => (
          <p key={kind} className="words">
            {kind}: {comparison[kind].join(', ')}
          </p>
        ))}
    </section>
  );
}

function Cases({ report, earlier }: { readonly report: EvalReport; readonly earlier: EvalReport | null }) {
  const before = new Map(earlier?.cases.map((one) => [one.id, one]));
  const changed = (one: EvalCase): boolean => {
    const last = before.get(one.id);
    return last !== undefined && last.passed !== one.passed;
  };
  // What changed comes first, then what failed.
  const rank = (one: EvalCase): number => (changed(one) ? 0 : one.passed ? 2 : 1);
  return (
    <section aria-label="Cases">
      <h2>Cases</h2>
      <ul className="rows">
        {report.cases
          .toSorted((a, b) => rank(a) - rank(b))
          .map((one) => (
            <li key={one.id} className="card">
              <Case one={one} last={before.get(one.id) ?? null} isOpen={changed(one)} />
            </li>
          ))}
      </ul>
    </section>
  );
}

function Case({
  one,
  last,
  isOpen: isFirst,
}: {
  readonly one: EvalCase;
  readonly last: EvalCase | null;
  readonly isOpen: boolean;
}) {
  const [isOpen, setOpen] = useState(isFirst);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Status status={one.passed ? 'ok' : 'failed'} /> <strong>{one.id}</strong>{' '}
        <span className="quiet">
          {last !== null && last.passed !== one.passed && `was ${last.passed ? 'ok' : 'failed'}, `}
          {durationMs(one.duration_ms)}
          {last?.duration_ms != null && ` (before ${durationMs(last.duration_ms)})`}
        </span>
      </summary>
      {isOpen && (
        <>
          {one.failures.map((failure) => (
            <p key={failure} className="words">
              {failure}
            </p>
          ))}
          {one.run_id !== null && (
            <p>
              <Link href={`/runs/${one.run_id}`}>Run {one.run_id.slice(0, 8)}</Link>
              {last?.run_id != null && (
                <>
                  , <Link href={`/runs/${last.run_id}/beside/${one.run_id}`}>beside the one before</Link>
                </>
              )}
            </p>
          )}
          {last === null || last.output === one.output ? (
            <Pre>{one.output}</Pre>
          ) : (
            <TextChanges before={last.output} after={one.output} />
          )}
        </>
      )}
    </details>
  );
}
