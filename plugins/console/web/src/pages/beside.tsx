import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useAsked } from '../api/live.js';
import type { Activation, RunView } from '../api/types.js';
import { Axis } from '../parts/axis.js';
import { TextChanges } from '../parts/diff.js';
import { Ago, NotYet, Problem, Status } from '../parts/small.js';
import { RunTree } from '../parts/tree.js';
import { count, durationMs, money, textOf } from '../parts/words.js';

/** Two runs, live: figures, what they were asked and answered, and who did what. */
export function Beside({ id, other }: { readonly id: string; readonly other: string }) {
  const left = useAsked<RunView>(`/jobs/${encodeURIComponent(id)}/view`);
  const right = useAsked<RunView>(`/jobs/${encodeURIComponent(other)}/view`);
  const failed = left.error ?? right.error;
  const [a, b] = [left.data, right.data];
  if (a === null || b === null)
    return (
      <NotYet
        error={failed}
        again={() => {
          left.again();
          right.again();
        }}
      />
    );
  const names = [a.job.topology, b.job.topology];
  return (
    <article>
      <header className="page">
        <p className="quiet">
          <Link href="/runs">Runs</Link> / <Link href={`/runs/${a.job.id}`}>{a.job.id}</Link> beside {b.job.id}
        </p>
        <h1>{names[0] === names[1] ? `Two runs of ${names[0]}` : `${names[0]} and ${names[1]}`}</h1>
        <Link href={`/runs/${b.job.id}/beside/${a.job.id}`}>Change places</Link>
      </header>
      {failed !== null && <Problem error={failed} />}
      <Figures a={a} b={b} />
      <Agents a={a.trace.agents} b={b.trace.agents} />
      <Texts name="Input" before={textOf(a.job.input)} after={textOf(b.job.input)} />
      <Texts name="Result" before={textOf(a.job.output)} after={textOf(b.job.output)} />
      <div className="beside">
        {[a, b].map(({ job, trace }) => (
          <section key={job.id} aria-label={`Run ${job.id}`}>
            <h2>Run {job.id.slice(0, 8)}</h2>
            <Axis trace={trace} />
            <RunTree agents={trace.agents} isAtWork={job.status === 'running'} />
          </section>
        ))}
      </div>
    </article>
  );
}

function Texts({ name, before, after }: { readonly name: string; readonly before: string; readonly after: string }) {
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      {before === after ? <p className="quiet">The same in both.</p> : <TextChanges before={before} after={after} />}
    </section>
  );
}

/** `+12 s`; '' where one of them is not known, or nothing differs. */
function more(a: number | null, b: number | null, words: (n: number) => string): string {
  if (a === null || b === null || a === b) return '';
  return `${b > a ? '+' : '−'}${words(Math.abs(b - a))}`;
}

const callsOf = (agents: readonly Activation[]): number => agents.reduce((sum, { trail }) => sum + trail.length, 0);

interface FigureRow {
  readonly name: string;
  readonly a: ReactNode;
  readonly b: ReactNode;
  readonly more?: string;
}

function Figures({ a, b }: { readonly a: RunView; readonly b: RunView }) {
  const number = (name: string, of: (view: RunView) => number | null, words: (n: number) => string): FigureRow => {
    const [left, right] = [of(a), of(b)];
    const shown = (n: number | null): string => (n === null ? 'not known' : words(n));
    return { name, a: shown(left), b: shown(right), more: more(left, right, words) };
  };
  const fact = (name: string, of: (view: RunView) => ReactNode): FigureRow => ({ name, a: of(a), b: of(b) });
  const rows: readonly FigureRow[] = [
    fact('Status', ({ job }) => <Status status={job.status} />),
    fact('Version', ({ job }) => job.version ?? 'none'),
    fact('From', ({ job }) => job.submitted_by.identity),
    fact('Submitted', ({ job }) => <Ago at={job.created_at} />),
    number('Time', ({ wall_ms: ms }) => ms, durationMs),
    number('Cost', ({ trace }) => trace.usage.cost_usd, money),
    number('Tokens in', ({ trace }) => trace.usage.input_tokens, count),
    number('Tokens out', ({ trace }) => trace.usage.output_tokens, count),
    number('Agents', ({ trace }) => trace.agents.length, count),
    number('Calls', ({ trace }) => callsOf(trace.agents), count),
  ];
  return (
    <Wide label="Figures of both">
      <thead>
        <tr>
          <th scope="col">run</th>
          {[a, b].map(({ job }) => (
            <th key={job.id} scope="col">
              <Link href={`/runs/${job.id}`}>{job.id.slice(0, 8)}</Link>
            </th>
          ))}
          <th scope="col">the second has</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row">{row.name}</th>
            <td>{row.a}</td>
            <td>{row.b}</td>
            <td>{row.more}</td>
          </tr>
        ))}
      </tbody>
    </Wide>
  );
}

/** All that one agent did in a run. */
interface Sum {
  readonly times: number;
  readonly ms: number;
  /** Null: of one activation it is not known. */
  readonly usd: number | null;
  readonly tokens: number;
  readonly statuses: readonly string[];
}

function sums(agents: readonly Activation[]): ReadonlyMap<string, Sum> {
  const found = new Map<string, Sum>();
  for (const { agent_id: id, duration_ms: ms, usage, status } of agents) {
    const last = found.get(id) ?? { times: 0, ms: 0, usd: 0, tokens: 0, statuses: [] };
    found.set(id, {
      times: last.times + 1,
      ms: last.ms + (ms ?? 0),
      usd: last.usd === null || usage.cost_usd === null ? null : last.usd + usage.cost_usd,
      tokens: last.tokens + usage.input_tokens + usage.output_tokens,
      statuses: last.statuses.includes(status) ? last.statuses : [...last.statuses, status],
    });
  }
  return found;
}

const sumText = (sum: Sum | undefined): string =>
  sum === undefined
    ? 'not asked'
    : `${sum.statuses.join(', ')}${sum.times > 1 ? ` x${sum.times}` : ''}, ${durationMs(sum.ms)}, ${count(sum.tokens)} tokens, ${money(sum.usd)}`;

function Agents({ a, b }: { readonly a: readonly Activation[]; readonly b: readonly Activation[] }) {
  const [left, right] = [sums(a), sums(b)];
  const ids = [...new Set([...left.keys(), ...right.keys()])];
  if (ids.length === 0) return null;
  return (
    <section aria-label="Agents">
      <h2>Agents</h2>
      <Wide label="Figures of their agents">
        <thead>
          <tr>
            <th scope="col">agent</th>
            <th scope="col">first</th>
            <th scope="col">second</th>
            <th scope="col">the second took</th>
          </tr>
        </thead>
        <tbody>
          {ids.map((id) => {
            const [one, two] = [left.get(id), right.get(id)];
            return (
              <tr key={id}>
                <th scope="row">{id}</th>
                <td>{sumText(one)}</td>
                <td>{sumText(two)}</td>
                <td>{more(one?.ms ?? null, two?.ms ?? null, durationMs)}</td>
              </tr>
            );
          })}
        </tbody>
      </Wide>
    </section>
  );
}

/** A table that scrolls by itself where the window is narrow. */
function Wide({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
    <section className="wide" tabIndex={0} aria-label={label}>
      <table>{children}</table>
    </section>
  );
}
