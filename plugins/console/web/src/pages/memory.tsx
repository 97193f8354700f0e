import { type FormEvent, useMemo, useState } from 'react';
import { useAsked } from '../api/live.js';
import { useMayRun, useSession } from '../api/session.js';
import type { MemoryConfig, MemoryItem, MemoryRow, MemoryWritten } from '../api/wire-types.js';
import { useAct } from '../parts/act.js';
import { FilterChoice, FilterField, useFilters } from '../parts/filter.js';
import { useKeys } from '../parts/keys.js';
import { Quarantine } from '../parts/quarantine.js';
import { Ago, At, Empty, Fact, Facts, Loading, NotYet, Problem } from '../parts/small.js';

const MOST = 200;
const TYPES = ['semantic', 'profile', 'procedural', 'episodic', 'working'];
const FILTERS = ['query', 'type'];

/** What is remembered, and what contradicts it and waits for a decision. */
export function Memory() {
  const config = useAsked<MemoryConfig>('/memory/config');
  if (config.data === null) return <NotYet error={config.error} again={config.again} />;
  const { enabled, reader, writer } = config.data;
  return (
    <section>
      <header className="page">
        <h1>Memory</h1>
      </header>
      {enabled ? (
        <>
          <Facts>
            <Fact name="An agent reads">
              {reader.search_scope}, at most {reader.max_results} entries
            </Fact>
            <Fact name="A run writes">from outputs of {writer.min_output_length} characters or more</Fact>
          </Facts>
          <Quarantine />
          <Remembered />
        </>
      ) : (
        <Empty>Memory is off in this workspace: `memory.enabled` of workspace.yaml.</Empty>
      )}
    </section>
  );
}

function Remembered() {
  const { get, set, chosen } = useFilters(FILTERS);
  const query = new URLSearchParams([['limit', String(MOST)], ...chosen.map(([name, value]) => [name, value])]);
  const { data, error, again } = useAsked<{ readonly memories: readonly MemoryRow[] }>(`/memory?${query}`);
  const mayRun = useMayRun();
  useKeys(useMemo(() => ({ '/': () => document.getElementById('filter-query')?.focus() }), []));
  return (
    <section aria-label="Remembered">
      <header className="page">
        <h2>Remembered</h2>
        <FilterField name="query" label="Search ( / )" value={get('query')} set={set} />
        <FilterChoice name="type" label="Type" value={get('type')} set={set} options={TYPES} all="every type" />
      </header>
      {mayRun ? (
        <Add done={again} />
      ) : (
        <p className="quiet">You may read what is remembered, not change it: your key lacks the scope serve:run.</p>
      )}
      {error !== null && <Problem error={error} again={again} />}
      {data === null ? (
        error === null && <Loading />
      ) : data.memories.length === 0 ? (
        <Empty>{chosen.length === 0 ? 'Nothing is remembered yet.' : 'Nothing that is remembered is like that.'}</Empty>
      ) : (
        <ul className="rows">
          {data.memories.map((memory) => (
            <li key={`${memory.key} ${memory.owner} ${memory.type}`} className="card">
              <Entry memory={memory} />
            </li>
          ))}
        </ul>
      )}
      {data?.memories.length === MOST && <p className="quiet">These are the first {MOST}: search for the others.</p>}
    </section>
  );
}

function Entry({ memory }: { readonly memory: MemoryRow }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p className="words">
        <strong>{memory.key}</strong> <span className="tag">{memory.type}</span>
      </p>
      <p className="words">{memory.value}</p>
      <p className="words quiet">
        {Math.round(memory.confidence * 100)} % sure, from {memory.source} of {memory.owner} ({memory.origin}), said{' '}
        {memory.reinforce_count === 0 ? 'once' : `${memory.reinforce_count + 1} times, last`}{' '}
        <Ago at={memory.last_reinforced_at} />
      </p>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>How it came about</summary>
        {isOpen && <History memory={memory} />}
      </details>
    </>
  );
}

function History({ memory: { subject, attribute } }: { readonly memory: MemoryRow }) {
  const { data, error } = useAsked<MemoryItem>(`/memory/item?${new URLSearchParams({ subject, attribute })}`);
  if (data === null) return error === null ? <Loading /> : <Problem error={error} />;
  return (
    <ol className="decisions">
      {data.history.map((change, place) => (
        <li key={place} className="words">
          <strong>{change.op}</strong> by {change.decided_by}, <At at={change.timestamp} />: {change.reason}
          {change.before !== null && change.before !== change.after && <blockquote>before: {change.before}</blockquote>}
          <blockquote>{change.after}</blockquote>
        </li>
      ))}
    </ol>
  );
}

const NOTHING = { subject: '', attribute: '', value: '' };

function Add({ done }: { readonly done: () => void }) {
  const { client } = useSession();
  const { act, error, isBusy } = useAct();
  const [texts, setTexts] = useState(NOTHING);
  const [type, setType] = useState('semantic');
  const [said, setSaid] = useState('');
  const send = (event: FormEvent): void => {
    event.preventDefault();
    setSaid('');
    void act(async () => {
      const { op, changed } = await client.post<MemoryWritten>('/memory', { ...texts, type });
      setTexts(NOTHING);
      setSaid(
        op === 'contradict'
          ? 'It contradicts what is known, and was set aside.'
          : `It is remembered (${op}${changed ? '' : ', nothing changed'}).`,
      );
      done();
    });
  };
  return (
    <details className="card">
      <summary>Remember something, for everybody</summary>
      <form className="start" onSubmit={send}>
        {(['subject', 'attribute', 'value'] as const).map((name) => (
          <label key={name}>
            {name}
            <input
              required
              maxLength={name === 'value' ? 4_000 : 200}
              value={texts[name]}
              onChange={(event) => setTexts((last) => ({ ...last, [name]: event.target.value }))}
            />
          </label>
        ))}
        <label>
          type
          <select value={type} onChange={(event) => setType(event.target.value)}>
            {TYPES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        {error !== null && <Problem error={error} />}
        <button type="submit" className="primary" disabled={isBusy}>
          Remember
        </button>
        <p role="status">{said}</p>
      </form>
    </details>
  );
}
