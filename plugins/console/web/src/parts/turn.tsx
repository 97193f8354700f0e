import { lazy, Suspense, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useAsked } from '../api/live.js';
import { followRun, type LogLine } from '../api/run-stream.js';
import { useSession } from '../api/session.js';
import type { Job } from '../api/types.js';
import type { Said } from '../api/wire-types.js';
import { Ago, Loading, Problem, Status } from './small.js';
import { oneLine } from './words.js';

const Markdown = lazy(async () => ({ default: (await import('./markdown.js')).Markdown }));

/** What one side said; what the agents say is shown as Markdown, without anything that acts. */
export function Turn({ turn, by }: { readonly turn: Said; readonly by: string }) {
  const { role, content, timestamp, job_id: job } = turn;
  return (
    <>
      <p className="line quiet">
        <strong>{by}</strong> <Ago at={timestamp} />
        {role === 'swarm' && (
          <Link href={`/runs/${job}`} className="far">
            Run {job.slice(0, 8)}
          </Link>
        )}
      </p>
      {role === 'human' ? (
        <p className="words">{content}</p>
      ) : (
        <Suspense fallback={<p className="words">{content}</p>}>
          <Markdown text={content} />
        </Suspense>
      )}
    </>
  );
}

/** What is done about a turn that has no answer yet, or will have none. */
export function Unanswered({ job: id }: { readonly job: string }) {
  const { data: job, error, again } = useAsked<Job>(`/jobs/${encodeURIComponent(id)}`);
  if (job === null) return error === null ? <Loading /> : <Problem error={error} again={again} />;
  const [gate] = job.waiting_on;
  return (
    <div role="status">
      <p>
        <Status status={job.status} />{' '}
        {job.status === 'deferred' && gate !== undefined && (
          <>
            The answer waits for people. <Link href={`/gates/${encodeURIComponent(gate)}`}>
              Look at what is asked
            </Link>{' '}
          </>
        )}
        {job.error !== null && job.status !== 'deferred' && `${oneLine(job.error, 400)} `}
        <Link href={`/runs/${id}`}>Run {id.slice(0, 8)}</Link>
      </p>
      {(job.status === 'running' || job.status === 'queued') && <Progress id={id} />}
    </div>
  );
}

const SHOWN_LINES = 6;

/** The last lines of the log of a run, while it goes on. */
function Progress({ id }: { readonly id: string }) {
  const { client } = useSession();
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  useEffect(() => {
    const over = new AbortController();
    void followRun(client, id, over.signal, (line) => setLines((last) => [...last, line].slice(-SHOWN_LINES)));
    return () => over.abort();
  }, [client, id]);
  return (
    <ul className="progress quiet">
      {lines.map(({ seq, text }) => (
        <li key={seq}>{oneLine(text)}</li>
      ))}
    </ul>
  );
}
