import { useState } from 'react';
import { Link } from 'wouter';
import { useAsked } from '../api/live.js';
import { useMayRun, useSession } from '../api/session.js';
import type { Fired, Trigger } from '../api/work-types.js';
import { At, Empty, NotYet, Status } from '../parts/small.js';

/** What starts runs by itself, when next, and what keeps it from it. */
export function Triggers() {
  const { data, error, again } = useAsked<readonly Trigger[]>('/triggers');
  const mayRun = useMayRun();
  if (data === null) return <NotYet error={error} again={again} />;
  return (
    <section>
      <header className="page">
        <h1>Triggers</h1>
      </header>
      {!mayRun && <p className="quiet">You may look at triggers, not fire them: your key lacks the scope serve:run.</p>}
      {data.length === 0 && <Empty>This workspace has no trigger.</Empty>}
      <ul className="rows">
        {data.map((trigger) => (
          <li key={trigger.id} className="card">
            <p className="line">
              <strong>{trigger.id}</strong> <span className="tag">{trigger.type}</span>
              <Status status={trigger.active ? 'running' : 'stopped'} />
              <span className="far">{mayRun && <Fire trigger={trigger} />}</span>
            </p>
            <p className="quiet">
              starts {trigger.targets.join(', ')}
              {trigger.next_fire_at !== null && (
                <>
                  , next <At at={trigger.next_fire_at} />
                </>
              )}
              {trigger.reason !== null && `, ${trigger.reason}`}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Fire({ trigger }: { readonly trigger: Trigger }) {
  const { client } = useSession();
  const [isAsked, setAsked] = useState(false);
  const [fired, setFired] = useState<Fired | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const fire = async (): Promise<void> => {
    setAsked(false);
    setError(null);
    try {
      setFired(await client.post<Fired>(`/triggers/${encodeURIComponent(trigger.id)}/fire`, {}));
    } catch (failed) {
      setError(failed instanceof Error ? failed : new Error(String(failed)));
    }
  };
  return (
    <>
      {fired?.targets.map(({ target, job_id: job, refused }) =>
        job === null ? (
          <span key={target}>{refused?.detail} </span>
        ) : (
          <Link key={target} href={`/runs/${job}`} className="plain">
            {target}{' '}
          </Link>
        ),
      )}
      {error !== null && <span role="alert">{error.message} </span>}
      {isAsked ? (
        <button type="button" className="primary" onClick={() => void fire()}>
          Yes, fire it
        </button>
      ) : (
        <button type="button" onClick={() => setAsked(true)}>
          Fire now
        </button>
      )}
    </>
  );
}
