import { useState } from 'react';
import { useAsked } from '../api/live.js';
import type { UsageReport } from '../api/work-types.js';
import { DayChart } from '../parts/day-chart.js';
import { Fact, Facts, Loading, Problem } from '../parts/small.js';
import { count, money } from '../parts/words.js';

const DAYS: readonly (readonly [string, number | null])[] = [
  ['a day', 1],
  ['a week', 7],
  ['30 days', 30],
  ['everything', null],
];
const LISTS = ['model', 'topology'] as const;

/** What calls of models have cost: day by day, and by model or topology. */
export function Usage() {
  const [days, setDays] = useState<number | null>(7);
  const [by, setBy] = useState<(typeof LISTS)[number]>('model');
  // By the hour, so that the address stays the same while one looks.
  const since =
    days === null
      ? ''
      : `&since=${new Date((Math.floor(Date.now() / 3_600_000) - 24 * days) * 3_600_000).toISOString()}`;
  const daily = useAsked<UsageReport>(`/usage?by=day${since}`);
  const listed = useAsked<UsageReport>(`/usage?by=${by}${since}`);
  return (
    <section>
      <header className="page">
        <h1>Usage</h1>
        <Choice names={DAYS} chosen={days} choose={setDays} />
      </header>
      {daily.error !== null && <Problem error={daily.error} again={daily.again} />}
      {daily.data === null ? <Loading /> : <ByDay report={daily.data} />}
      <h2>By {by}</h2>
      <Choice names={LISTS.map((one) => [`by ${one}`, one] as const)} chosen={by} choose={setBy} />
      {listed.error !== null && <Problem error={listed.error} again={listed.again} />}
      {listed.data === null ? (
        <Loading />
      ) : (
        <Shares
          name={by}
          shares={by === 'model' ? named(listed.data.by_model, 'model') : named(listed.data.by_topology, 'topology')}
        />
      )}
    </section>
  );
}

function Choice<T>({ names, chosen, choose }: ChoiceProps<T>) {
  return (
    <span className="options">
      {names.map(([name, value]) => (
        <button type="button" key={name} aria-pressed={value === chosen} onClick={() => choose(value)}>
          {name}
        </button>
      ))}
    </span>
  );
}

interface ChoiceProps<T> {
  readonly names: readonly (readonly [string, T])[];
  readonly chosen: T;
  readonly choose: (value: T) => void;
}

function ByDay({ report: { summary, by_day: days = [] } }: { readonly report: UsageReport }) {
  return (
    <>
      <Facts>
        <Fact name="Cost">{money(summary.total_cost_usd)}</Fact>
        <Fact name="Calls of models">{count(summary.total_calls)}</Fact>
        <Fact name="Tokens in">{count(summary.total_input_tokens)}</Fact>
        <Fact name="Tokens out">{count(summary.total_output_tokens)}</Fact>
      </Facts>
      {days.length > 0 && (
        <>
          <h2>By day</h2>
          <DayChart days={days} />
          <details>
            <summary>The figures of each day</summary>
            <Shares name="day" shares={named([...days].reverse(), 'day')} />
          </details>
        </>
      )}
    </>
  );
}

/** The calls of a model, of a topology or of a day, under its name. */
type Share = Omit<NonNullable<UsageReport['by_day']>[number], 'day'> & { readonly name: string };

const named = <K extends string, S extends Omit<Share, 'name'> & Readonly<Record<K, string>>>(
  shares: readonly S[] = [],
  key: K,
): readonly Share[] => shares.map((share) => ({ ...share, name: share[key] }));

function Shares({ name, shares }: SharesProps) {
  const most = Math.max(1e-12, ...shares.map((share) => share.cost_usd ?? 0));
  return (
    <table>
      <thead>
        <tr>
          {[name, 'calls', 'tokens in', 'tokens out', 'cost'].map((title) => (
            <th key={title}>{title}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shares.map((share) => (
          <tr key={share.name}>
            <td>{share.name}</td>
            <td>{count(share.calls)}</td>
            <td>{count(share.input_tokens)}</td>
            <td>{count(share.output_tokens)}</td>
            <td>
              {money(share.cost_usd)}{' '}
              <meter aria-label={`Share of ${share.name}`} value={(share.cost_usd ?? 0) / most} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface SharesProps {
  readonly name: string;
  readonly shares: readonly Share[];
}
