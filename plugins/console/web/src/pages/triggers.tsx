import { useState } from 'react';
import { Link } from 'wouter';
import { useAsked } from '../api/live.js';
import { useMayRun, useSession } from '../api/session.js';
import type { AuditRow, Fired, Trigger } from '../api/work-types.js';
import { AskedButton } from '../parts/asked-button.js';
import { Ago, At, Empty, NotYet, Status } from '../parts/small.js';

/** Of each trigger so many firings are shown, of the newest MOST_FIRINGS of all. */
const FIRINGS_SHOWN = 3;
const MOST_FIRINGS = 200;

/**
 * What starts runs by itself, when next, what it started last, and what keeps it from it. A log
 * that cannot be read leaves the firings out.
 */
export function Triggers() {
  const { data, error, again } = useAsked<readonly Trigger[]>('/triggers');
  const { data: log } = useAsked<readonly AuditRow[]>(`/audit?types=trigger.fired&limit=${MOST_FIRINGS}`);
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
            <Firings rows={(log ?? []).filter(({ payload }) => payload.trigger === trigger.id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FiredTarget {
  readonly target: string;
  readonly job_id: string | null;
  readonly refused: string | null;
}

/** The log holds what the server of that day wrote: without targets, the time is shown alone. */
const targetsOf = ({ payload: { targets } }: AuditRow): readonly FiredTarget[] =>
  Array.isArray(targets) ? (targets as readonly FiredTarget[]) : [];

function Firings({ rows }: { readonly rows: readonly AuditRow[] }) {
  if (rows.length === 0) return null;
  return (
    <ol className="decisions">
      {rows.slice(0, FIRINGS_SHOWN).map((row) => (
        <li key={row.event_id} className="words quiet">
          fired <Ago at={row.timestamp} />
          {targetsOf(row).map(({ target, job_id: job, refused }) => (
            <span key={target}>
              {', '}
              {job === null ? (
                `${target} was refused: ${refused}`
              ) : (
                <Link href={`/runs/${encodeURIComponent(job)}`}>{target}</Link>
              )}
            </span>
          ))}
        </li>
      ))}
    </ol>
  );
}

function Fire({ trigger }: { readonly trigger: Trigger }) {
  const { client } = useSession();
  const [fired, setFired] = useState<Fired | null>(null);
  const fire = async (): Promise<void> =>
    setFired(await client.post<Fired>(`/triggers/${encodeURIComponent(trigger.id)}/fire`, {}));
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
      <AskedButton word="Fire now" yes="Yes, fire it" act={fire} />
    </>
  );
}
