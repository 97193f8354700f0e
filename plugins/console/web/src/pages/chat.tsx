import { type FormEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useAsked } from '../api/live.js';
import { useMayRun, useSession } from '../api/session.js';
import type { Conversation, ConversationRow } from '../api/wire-types.js';
import type { TopologyRow } from '../api/work-types.js';
import { useAct } from '../parts/act.js';
import { useKeys } from '../parts/keys.js';
import { useRows } from '../parts/rows.js';
import { Ago, Empty, Loading, NotYet, Problem } from '../parts/small.js';
import { Turn, Unanswered } from '../parts/turn.js';
import { count, oneLine } from '../parts/words.js';

const MOST = 100;
const NONE: readonly ConversationRow[] = [];

/** Conversations of whoever looks, and those that are shared, newest first. */
export function Chat() {
  const { data, error, again } = useAsked<readonly ConversationRow[]>(`/conversations?limit=${MOST}`);
  const mayRun = useMayRun();
  const [, go] = useLocation();
  const rows = data ?? NONE;
  const at = useRows(
    rows,
    useCallback(({ id }: ConversationRow) => go(`/chat/${id}`), [go]),
  );
  return (
    <section>
      <header className="page">
        <h1>Chat</h1>
      </header>
      {mayRun ? (
        <Begin />
      ) : (
        <p className="quiet">You may read conversations, not begin one: your key lacks the scope serve:run.</p>
      )}
      {error !== null && <Problem error={error} again={again} />}
      {data === null && error === null && <Loading />}
      {data?.length === 0 && <Empty>There is no conversation of yours, and none that is shared.</Empty>}
      <ul className="rows">
        {rows.map((row, n) => (
          <li key={row.id} id={`row-${n}`} aria-current={n === at}>
            <Link href={`/chat/${row.id}`}>
              <span className="line">
                <strong>{row.topology}</strong>
                <span className="quiet">
                  {row.id}, {count(row.turns)} {row.turns === 1 ? 'turn' : 'turns'}
                </span>
                <span className="far quiet">
                  <Ago at={row.updated} />
                </span>
              </span>
              <span className="line quiet">{oneLine(row.last_message)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {rows.length === MOST && <p className="quiet">These are the newest {MOST}.</p>}
    </section>
  );
}

function Begin() {
  const { client } = useSession();
  const { data } = useAsked<readonly TopologyRow[]>('/api/topologies');
  const { act, error, isBusy } = useAct();
  const [topology, setTopology] = useState('');
  const [isShared, setShared] = useState(false);
  const [, go] = useLocation();
  const chosen = topology === '' ? (data?.[0]?.id ?? '') : topology;
  const send = (event: FormEvent): void => {
    event.preventDefault();
    void act(async () => {
      const { id } = await client.post<{ readonly id: string }>('/conversations', {
        topology: chosen,
        shared: isShared,
      });
      go(`/chat/${id}`);
    });
  };
  return (
    <form className="page" onSubmit={send}>
      <label>
        Talk with{' '}
        <select value={chosen} onChange={(event) => setTopology(event.target.value)}>
          {(data ?? []).map(({ id }) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      <label>
        <input type="checkbox" checked={isShared} onChange={(event) => setShared(event.target.checked)} /> others may
        read and go on with it
      </label>
      <button type="submit" className="primary" disabled={isBusy || chosen === ''}>
        Begin
      </button>
      {error !== null && <Problem error={error} />}
    </form>
  );
}

/** One conversation: each message is a turn, and each turn a run. */
export function ConversationPage({ id }: { readonly id: string }) {
  const { data, error, again } = useAsked<Conversation>(`/conversations/${encodeURIComponent(id)}`);
  const mayRun = useMayRun();
  const { who } = useSession();
  const end = useRef<HTMLDivElement>(null);
  const shown = data?.turns.length ?? 0;
  useEffect(() => {
    void end.current?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  const answered = useMemo(
    () => new Set(data?.turns.filter(({ role }) => role === 'swarm').map(({ job_id: job }) => job)),
    [data],
  );
  if (data === null) return <NotYet error={error} again={again} />;
  // Turns of a shared conversation do not say whose they are.
  const person = !data.shared && data.created_by === who.client_id ? 'You' : 'A person';
  return (
    <article>
      <header className="page">
        <p className="quiet">
          <Link href="/chat">Chat</Link> / {data.id}
        </p>
        <h1>{data.topology}</h1>
        <span className="quiet">
          begun by {data.created_by}
          {data.shared ? ', shared' : ''}
        </span>
      </header>
      {error !== null && <Problem error={error} again={again} />}
      {shown === 0 && <Empty>Nothing is said yet.</Empty>}
      <ol className="turns" aria-label="What was said">
        {data.turns.map((turn) => (
          <li key={`${turn.job_id} ${turn.role}`} className={`turn ${turn.role}`}>
            <Turn turn={turn} by={turn.role === 'human' ? person : data.topology} />
            {turn.role === 'human' && !answered.has(turn.job_id) && <Unanswered job={turn.job_id} />}
          </li>
        ))}
      </ol>
      <div ref={end} />
      {mayRun ? (
        <Say id={data.id} done={again} />
      ) : (
        <p className="quiet">You may read conversations, not talk: your key lacks the scope serve:run.</p>
      )}
    </article>
  );
}

/** Enter sends, with Shift it begins a line. `/` leads to the field. */
function Say({ id, done }: { readonly id: string; readonly done: () => void }) {
  const { client } = useSession();
  const { act, error, isBusy } = useAct();
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  useKeys(useMemo(() => ({ '/': () => field.current?.focus() }), []));
  const send = (): void => {
    if (text.trim() === '' || isBusy) return;
    void act(async () => {
      const answer = await client.open(`/conversations/${encodeURIComponent(id)}/messages`, {
        method: 'POST',
        headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
        body: JSON.stringify({ message: text }),
      });
      // The turn has begun. It is followed as the turns of others are: by its run.
      await answer.body?.cancel();
      // What was typed since stays: the answer may be there before this is.
      setText((now) => (now.startsWith(text) ? now.slice(text.length) : now));
      done();
    });
  };
  return (
    <footer className="decide">
      {error !== null && <Problem error={error} />}
      <textarea
        ref={field}
        aria-label="Message"
        placeholder="Enter sends it; Shift and Enter begins a line"
        value={text}
        maxLength={100_000}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault();
            send();
          }
        }}
      />
      <p className="buttons">
        <button type="button" className="primary" disabled={isBusy || text.trim() === ''} onClick={send}>
          Send <kbd>Enter</kbd>
        </button>
      </p>
    </footer>
  );
}
