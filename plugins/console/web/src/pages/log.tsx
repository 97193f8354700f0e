import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useAsked } from '../api/live.js';
import type { AuditRow } from '../api/work-types.js';
import { At, Empty, Loading, Problem } from '../parts/small.js';
import { oneLine } from '../parts/words.js';

const FILTERS = ['run_id', 'agent_id', 'topology_id', 'types'] as const;

/** The audit log, newest first; its filters stand in the address. */
export function Log() {
  const [params, setParams] = useSearchParams();
  const query = new URLSearchParams({ limit: '200' });
  for (const name of FILTERS) {
    const value = params.get(name) ?? '';
    if (value !== '') query.set(name, value);
  }
  const { data, error, again } = useAsked<readonly AuditRow[]>(`/audit?${query}`);
  const set = (name: string, value: string): void =>
    setParams((last) => {
      const changed = new URLSearchParams(last);
      if (value === '') changed.delete(name);
      else changed.set(name, value);
      return changed;
    });
  return (
    <section>
      <header className="page">
        <h1>Log</h1>
        {FILTERS.map((name) => (
          <Filter key={name} name={name} value={params.get(name) ?? ''} set={set} />
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

function Filter({
  name,
  value,
  set,
}: {
  readonly name: string;
  readonly value: string;
  readonly set: (name: string, value: string) => void;
}) {
  const [text, setText] = useState(value);
  return (
    <input
      type="search"
      aria-label={name}
      placeholder={name}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => set(name, text.trim())}
      onKeyDown={(event) => {
        if (event.key === 'Enter') set(name, text.trim());
      }}
    />
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
              <span className="quiet">{oneLine(row.error ?? row.policy_reason ?? '')}</span>
            </summary>
            {row.run_id !== '' && <Link href={`/runs/${row.run_id}`}>Run {row.run_id}</Link>}
            <pre>{JSON.stringify(row.payload, null, 2)}</pre>
          </details>
        </li>
      ))}
    </ul>
  );
}
