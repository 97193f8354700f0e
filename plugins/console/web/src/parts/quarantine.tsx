import { useEffect, useMemo, useRef, useState } from 'react';
import { useAsked } from '../api/live.js';
import { useMayRun, useSession } from '../api/session.js';
import type { QuarantinedRow } from '../api/wire-types.js';
import { useAct } from './act.js';
import { FilterChoice, useFilters } from './filter.js';
import { useKeys } from './keys.js';
import { Ago, Loading, Problem, Status } from './small.js';

const MOST = 200;
type Choice = 'accept' | 'reject';

/** What contradicts what is known. `j` and `k` move, `a` and `r` choose, Enter sends. */
export function Quarantine() {
  const { get, set } = useFilters(['status']);
  const status = get('status') || 'pending';
  const { data, error, again } = useAsked<{ readonly quarantine: readonly QuarantinedRow[] }>(
    `/memory/quarantine?limit=${MOST}&status=${encodeURIComponent(status)}`,
  );
  const mayDecide = useMayRun();
  const [place, setPlace] = useState(0);
  const [chosen, setChosen] = useState<{ readonly id: string; readonly choice: Choice } | null>(null);
  const rows = data?.quarantine ?? [];
  const at = Math.min(place, Math.max(0, rows.length - 1));
  const current = rows[at];
  const open = mayDecide && current?.status === 'pending' ? current.id : null;
  const move = (to: number): void => {
    setChosen(null);
    setPlace(Math.max(0, Math.min(to, rows.length - 1)));
  };
  useKeys(
    useMemo(
      () => ({
        j: () => move(at + 1),
        k: () => move(at - 1),
        ...(open === null
          ? {}
          : {
              a: () => setChosen({ id: open, choice: 'accept' }),
              r: () => setChosen({ id: open, choice: 'reject' }),
            }),
      }),
      [at, rows.length, open],
    ),
  );
  return (
    <section aria-label="Set aside">
      <header className="page">
        <h2>Set aside</h2>
        <FilterChoice
          name="status"
          label="Status"
          value={get('status')}
          set={set}
          options={['accepted', 'rejected', 'all']}
          all="pending"
        />
      </header>
      {error !== null && <Problem error={error} again={again} />}
      {data === null && error === null && <Loading />}
      {data !== null && rows.length === 0 && (
        <p className="quiet">
          {status === 'pending' ? 'Nothing contradicts what is known.' : 'Nothing was decided like that.'}
        </p>
      )}
      {rows.length > 0 && !mayDecide && (
        <p className="quiet">You may read this, not decide it: your key lacks the scope serve:run.</p>
      )}
      <ul className="rows">
        {rows.map((row, n) => (
          <li key={row.id} className="card" aria-current={n === at}>
            <QuarantinedMemory row={row} />
            {mayDecide && row.status === 'pending' && (
              <Decision
                id={row.id}
                chosen={chosen?.id === row.id ? chosen.choice : null}
                choose={(choice) => {
                  setPlace(n);
                  setChosen(choice === null ? null : { id: row.id, choice });
                }}
                done={again}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function QuarantinedMemory({ row }: { readonly row: QuarantinedRow }) {
  return (
    <>
      <p className="words">
        <strong>{row.memory_key}</strong> <Status status={row.status} />{' '}
        <span className="quiet">
          {row.id.slice(0, 8)}, <Ago at={row.created_at} />
        </span>
      </p>
      <dl className="facts">
        <div>
          <dt>Known</dt>
          <dd>{row.current_value}</dd>
        </div>
        <div>
          <dt>
            Said by {row.candidate.source} of {row.owner}, {Math.round(row.candidate.confidence * 100)} % sure
          </dt>
          <dd>{row.candidate.value}</dd>
        </div>
      </dl>
      <p className="words quiet">{row.reasoning}</p>
      {row.resolved_by !== null && (
        <p className="words quiet">
          decided by {row.resolved_by}
          {row.comment !== null && `: ${row.comment}`}
        </p>
      )}
    </>
  );
}

const WORDS: Readonly<Record<Choice, { readonly verb: string; readonly key: string }>> = {
  accept: { verb: 'Accept', key: 'a' },
  reject: { verb: 'Reject', key: 'r' },
};

function Decision({
  id,
  chosen,
  choose,
  done,
}: {
  readonly id: string;
  readonly chosen: Choice | null;
  readonly choose: (choice: Choice | null) => void;
  readonly done: () => void;
}) {
  const { client } = useSession();
  const { act, error, isBusy } = useAct();
  const [comment, setComment] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (chosen !== null) field.current?.focus();
  }, [chosen]);
  const send = (choice: Choice): void =>
    void act(async () => {
      await client.post(`/memory/quarantine/${encodeURIComponent(id)}/resolve`, {
        accept: choice === 'accept',
        ...(comment.trim() === '' ? {} : { comment }),
      });
      choose(null);
      done();
    });
  return (
    <>
      {error !== null && <Problem error={error} />}
      {chosen !== null && (
        <textarea
          ref={field}
          aria-label="A comment, if you like"
          placeholder={
            chosen === 'accept'
              ? 'What is known will be replaced. A comment, if you like'
              : 'What is known stays. A comment, if you like'
          }
          value={comment}
          maxLength={4_000}
          onChange={(event) => setComment(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') choose(null);
            if (event.key === 'Enter' && !event.shiftKey && !isBusy) {
              event.preventDefault();
              send(chosen);
            }
          }}
        />
      )}
      <p className="buttons">
        {(['accept', 'reject'] as const).map((choice) => (
          <button
            type="button"
            key={choice}
            className={chosen === choice ? 'primary' : ''}
            disabled={isBusy}
            onClick={() => (chosen === choice ? send(choice) : choose(choice))}
          >
            {chosen === choice ? (
              <>
                {WORDS[choice].verb} now <kbd>Enter</kbd>
              </>
            ) : (
              <>
                {WORDS[choice].verb} <kbd>{WORDS[choice].key}</kbd>
              </>
            )}
          </button>
        ))}
      </p>
    </>
  );
}
