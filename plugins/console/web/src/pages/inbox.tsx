import { useCallback, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useAsked } from '../api/live.js';
import type { InboxPage, InboxRow } from '../api/types.js';
import { useKeys } from '../parts/keys.js';
import { useRows } from '../parts/rows.js';
import { Ago, Empty, NotYet, Problem } from '../parts/small.js';
import { money, oneLine } from '../parts/words.js';

export const INBOX_PATH = '/inbox?limit=200';

const KIND: Readonly<Record<InboxRow['kind'], string>> = {
  permission: 'permission',
  input: 'question',
  role_task: 'review',
  other: 'decision',
};

/** What waits for whoever looks, oldest first. */
export function Inbox() {
  const inbox = useAsked<InboxPage>(INBOX_PATH);
  const [words, setWords] = useState('');
  const [, go] = useLocation();
  const shown = useMemo(() => (inbox.data?.items ?? []).filter((row) => matches(row, words)), [inbox.data, words]);
  const at = useRows(
    shown,
    useCallback((row: InboxRow) => go(`/items/${row.id}`), [go]),
  );
  useKeys(useMemo(() => ({ '/': () => document.getElementById('filter')?.focus() }), []));
  if (inbox.data === null) return <NotYet error={inbox.error} again={inbox.again} />;
  const { identity, roles, total, elsewhere } = inbox.data;
  return (
    <section>
      <header className="page">
        <h1>Inbox</h1>
        <p className="quiet">
          {identity}
          {roles.length > 0 && `, ${roles.join(', ')}`}
        </p>
        <input
          id="filter"
          type="search"
          placeholder="Filter ( / )"
          aria-label="Filter"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur();
          }}
        />
      </header>
      {inbox.error !== null && <Problem error={inbox.error} again={inbox.again} />}
      {shown.length === 0 ? (
        <Empty>{words === '' ? 'Nothing waits for you.' : 'Nothing here holds these words.'}</Empty>
      ) : (
        <ul className="rows">
          {shown.map((row, n) => (
            <li key={row.id} id={`row-${n}`} aria-current={n === at}>
              <Link href={`/items/${row.id}`}>
                <Row row={row} />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {total > inbox.data.items.length && <p className="quiet">{total - inbox.data.items.length} more wait.</p>}
      {elsewhere.length > 0 && <Elsewhere gates={elsewhere} />}
    </section>
  );
}

/** What people of other systems decide: the address, and nothing to decide it with. */
function Elsewhere({ gates }: { readonly gates: InboxPage['elsewhere'] }) {
  return (
    <section aria-label="Decided elsewhere">
      <h2>Decided elsewhere</h2>
      <ul className="rows">
        {gates.map(({ run, topology, agent, gate_url: url }) => (
          <li key={`${run} ${url}`}>
            <span className="line">
              <strong>{oneLine(topology)}</strong>
              <Link href={`/runs/${run}`}>{run}</Link>
            </span>
            <span className="line quiet">
              waits for people of the agent {oneLine(agent)}, who decide at{' '}
              {/^https?:\/\//.test(url) ? (
                <a href={url} target="_blank" rel="noopener noreferrer">
                  {url}
                </a>
              ) : (
                oneLine(url)
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({ row }: { readonly row: InboxRow }) {
  const { request, you } = row;
  return (
    <>
      <span className="line">
        <strong>{request.topology}</strong>
        <span className="tag">{KIND[row.kind]}</span>
        {row.role !== null && <span className="tag">{row.role}</span>}
        {row.round > 0 && <span className="tag">round {row.round}</span>}
        <span className="far quiet">
          <Ago at={request.asked_at} />
        </span>
      </span>
      <span className="line">{oneLine(row.question ?? request.call?.reason ?? request.input)}</span>
      <span className="line quiet">
        from {request.submitted_by.identity}
        {request.submitted_by.assurance !== 'authenticated' && ` (${request.submitted_by.assurance})`}
        {request.correlation_id !== null && `, ${request.correlation_id}`}
        {request.cost_usd !== null && `, ${money(request.cost_usd)} so far`}
        {you !== null && !you.can_decide && `, not yours to decide`}
      </span>
    </>
  );
}

function matches({ id, role, question, request }: InboxRow, words: string): boolean {
  const text = [
    ...[id, role, question, request.topology, request.input, request.run_id, request.correlation_id],
    ...[request.submitted_by.identity, ...Object.entries(request.labels).map(([name, value]) => `${name}=${value}`)],
  ]
    .join('\n')
    .toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
