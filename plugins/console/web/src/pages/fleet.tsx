import { Link } from 'wouter';
import { useAsked } from '../api/live.js';
import type { Fleet as Overview } from '../api/work-types.js';
import { Fact, Facts, NotYet, Problem, Status } from '../parts/small.js';
import { duration } from '../parts/words.js';

const seconds = (value: number | null): string => (value === null ? 'no sample' : duration(value));

/** Who works, what runs, and what waits. */
export function Fleet() {
  const { data, error, again } = useAsked<Overview>('/fleet?limit=100');
  if (data === null) return <NotYet error={error} again={again} />;
  const { queue, members, runs, waiting } = data;
  return (
    <section>
      <header className="page">
        <h1>Fleet</h1>
      </header>
      {error !== null && <Problem error={error} again={again} />}
      <Facts>
        <Fact name="Queued">{queue.queued}</Fact>
        <Fact name="Running">{queue.running}</Fact>
        <Fact name="Oldest waits">{queue.queued === 0 ? 'none' : seconds(queue.oldest_queued_age_seconds)}</Fact>
        <Fact name="Wait, median">{seconds(queue.queue_wait_p50_seconds)}</Fact>
        <Fact name="Execution, median">{seconds(queue.execution_p50_seconds)}</Fact>
      </Facts>
      <h2>Servers and workers</h2>
      {members === null ? (
        <p className="problem">Their rows could not be read.</p>
      ) : (
        <table>
          <thead>
            <tr>
              {['state', 'kind', 'where', 'version', 'class', 'slots'].map((name) => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <tr key={member.id}>
                <td>
                  <Status status={member.alive ? 'running' : 'stopped'} />
                </td>
                <td>{member.kind}</td>
                <td>
                  {member.hostname} {member.pid}
                  {!member.alive && <span className="quiet"> silent for {duration(member.silent_seconds)}</span>}
                </td>
                <td>{member.version}</td>
                <td>{member.job_class}</td>
                <td>
                  {member.active} of {member.concurrency}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h2>Runs at work ({data.runs_total})</h2>
      <ul className="rows">
        {runs.map((run) => (
          <li key={run.id}>
            <Link href={`/runs/${run.id}`}>
              <span className="line">
                <strong>{run.topology}</strong> {run.agent_id}
                <span className="quiet">
                  {run.activity} {run.activity_label}
                </span>
                <span className="far quiet">{duration(run.elapsed_seconds)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <h2>Waits for people ({data.waiting_total})</h2>
      <ul className="rows">
        {waiting.map((item) => (
          <li key={item.id}>
            <Link href={`/items/${encodeURIComponent(item.id)}`}>
              <span className="line">
                <strong>{item.topology}</strong> <span className="tag">{item.role ?? item.kind}</span>
                <span className="far quiet">{duration(item.age_seconds)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
