import { useState } from 'react';
import { useAsked } from '../api/live.js';
import type { UsageReport } from '../api/work-types.js';
import { Fact, Facts, Loading, Problem } from '../parts/small.js';
import { count, money } from '../parts/words.js';

const DAYS: readonly (readonly [string, number | null])[] = [
  ['a day', 1],
  ['a week', 7],
  ['30 days', 30],
  ['everything', null],
];

/** What runs have used, by model. */
export function Usage() {
  const [days, setDays] = useState<number | null>(7);
  // By the hour, so that the address stays the same while one looks.
  const since =
    days === null
      ? ''
      : `?since=${new Date((Math.floor(Date.now() / 3_600_000) - 24 * days) * 3_600_000).toISOString()}`;
  const { data, error, again } = useAsked<UsageReport>(`/usage${since}`);
  return (
    <section>
      <header className="page">
        <h1>Usage</h1>
        <span className="options">
          {DAYS.map(([name, n]) => (
            <button type="button" key={name} aria-pressed={n === days} onClick={() => setDays(n)}>
              {name}
            </button>
          ))}
        </span>
      </header>
      {error !== null && <Problem error={error} again={again} />}
      {data === null ? <Loading /> : <Table report={data} />}
    </section>
  );
}

function Table({ report }: { readonly report: UsageReport }) {
  const { summary, by_model: models } = report;
  const most = Math.max(1e-12, ...models.map((model) => model.cost_usd ?? 0));
  return (
    <>
      <Facts>
        <Fact name="Cost">{money(summary.total_cost_usd)}</Fact>
        <Fact name="Calls of models">{count(summary.total_calls)}</Fact>
        <Fact name="Tokens in">{count(summary.total_input_tokens)}</Fact>
        <Fact name="Tokens out">{count(summary.total_output_tokens)}</Fact>
      </Facts>
      <table>
        <thead>
          <tr>
            {['model', 'calls', 'tokens in', 'tokens out', 'cost'].map((name) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <tr key={model.model}>
              <td>{model.model}</td>
              <td>{count(model.calls)}</td>
              <td>{count(model.input_tokens)}</td>
              <td>{count(model.output_tokens)}</td>
              <td>
                {money(model.cost_usd)}{' '}
                <meter aria-label={`Share of ${model.model}`} value={(model.cost_usd ?? 0) / most} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
