import { Link } from 'wouter';
import { useAsked } from '../api/live.js';
import type { AuditRow } from '../api/work-types.js';
import { FilterField, useFilters } from '../parts/filter.js';
import { At, Empty, Loading, Pre, Problem } from '../parts/small.js';
import { capital, oneLine } from '../parts/words.js';

const FILTERS = ['run_id', 'agent_id', 'topology_id', 'types'] as const;

/** The audit log, newest first; its filters stand in the address. */
export function Log() {
  const { get, set, chosen } = useFilters(FILTERS);
  const query = new URLSearchParams([['limit', '200'], ...chosen.map(([name, value]) => [name, value])]);
  const { data, error, again } = useAsked<readonly AuditRow[]>(`/audit?${query}`);
  return (
    <section>
      <header className="page">
        <h1>Log</h1>
        {FILTERS.map((name) => (
          <FilterField key={name} name={name} label={capital(name.replace('_id', ''))} value={get(name)} set={set} />
        ))}
        {data !== null && data.length > 0 && <Export rows={data} />}
      </header>
      {error !== null && <Problem error={error} again={again} />}
      {data === null ? (
        error === null && <Loading />
      ) : data.length === 0 ? (
        <Empty>Nothing is like that.</Empty>
      ) : (
        <Rows rows={data} />
      )}
    </section>
  );
}

/** What is shown, as a file of JSON lines. */
function Export({ rows }: { readonly rows: readonly AuditRow[] }) {
  const save = (): void => {
    const url = URL.createObjectURL(new Blob([rows.map((row) => `${JSON.stringify(row)}\n`).join('')]));
    const link = document.createElement('a');
    link.href = url;
    link.download = 'audit.jsonl';
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <button type="button" onClick={save}>
      Save these rows
    </button>
  );
}

function Rows({ rows }: { readonly rows: readonly AuditRow[] }) {
  return (
    <ul className="audit">
      {rows.map((row) => (
        <li key={row.event_id}>
          <details>
            <summary>
              <span className="quiet">
                <At at={row.timestamp} />
              </span>{' '}
              <strong>{row.event_type}</strong> {row.agent_id} {row.policy_decision}{' '}
              <span className="quiet">
                {row.topology_id} {row.run_id.slice(0, 8)}
              </span>{' '}
              <span className="quiet">{oneLine(row.error ?? row.policy_reason ?? '')}</span>
            </summary>
            {row.run_id !== '' && <Link href={`/runs/${row.run_id}`}>Run {row.run_id}</Link>}
            <Pre>{JSON.stringify(row.payload, null, 2)}</Pre>
          </details>
        </li>
      ))}
    </ul>
  );
}
