import { useState } from 'react';
import { Link } from 'wouter';
import { useAsked } from '../api/live.js';
import { useMayRun, useSession } from '../api/session.js';
import type { Diffs, RunView, Why } from '../api/types.js';
import { AskedButton } from '../parts/asked-button.js';
import { Axis } from '../parts/axis.js';
import { BesideChoice } from '../parts/beside-choice.js';
import { Diff } from '../parts/diff.js';
import { RunLog } from '../parts/run-log.js';
import { Ago, Fact, Facts, Loading, NotYet, Pre, Problem, Status } from '../parts/small.js';
import { RunTree } from '../parts/tree.js';
import { capital, count, durationMs, money, textOf } from '../parts/words.js';

/** One run, live. */
export function Run({ id }: { readonly id: string }) {
  const { data, error, again } = useAsked<RunView>(`/jobs/${encodeURIComponent(id)}/view`);
  const why = useAsked<Why>(`/jobs/${encodeURIComponent(id)}/why`);
  if (data === null) return <NotYet error={error} again={again} />;
  const { job, trace, line } = data;
  return (
    <article className="run">
      <header className="page">
        <p className="quiet">
          <Link href="/runs">Runs</Link> / {job.id}
        </p>
        <h1>{job.topology}</h1>
        <Status status={job.status} />
        <Actions job={job} done={again} />
      </header>
      {error !== null && <Problem error={error} again={again} />}
      {why.data !== null && <WhyLine why={why.data} status={job.status} />}
      <Facts>
        <Fact name="From">{job.submitted_by.identity}</Fact>
        <Fact name="Submitted">
          <Ago at={job.created_at} />
        </Fact>
        <Fact name="Time">{durationMs(data.wall_ms) || 'not begun'}</Fact>
        <Fact name="Cost">{money(trace.usage.cost_usd)}</Fact>
        <Fact name="Tokens">
          {count(trace.usage.input_tokens)} in, {count(trace.usage.output_tokens)} out
        </Fact>
        {job.correlation_id !== null && <Fact name="Correlation">{job.correlation_id}</Fact>}
        {line.length > 1 && (
          <Fact name="Line">
            {line.map((one) => (
              <Link key={one} href={`/runs/${one}`}>
                {one.slice(0, 8)}{' '}
              </Link>
            ))}
          </Fact>
        )}
      </Facts>
      <BesideChoice id={job.id} topology={job.topology} />
      {trace.ungated.length > 0 && (
        <p className="problem">Went on without the approval that was asked for: {trace.ungated.join(', ')}</p>
      )}
      {trace.warnings.map((warning) => (
        <p key={warning.seq} className="warning">
          {warning.agent_id !== null && `${warning.agent_id}: `}
          {warning.text}
        </p>
      ))}
      <section>
        <h2>Input</h2>
        <Pre name="input">{textOf(job.input)}</Pre>
      </section>
      {job.output != null && (
        <section>
          <h2>Result</h2>
          <Pre>{textOf(job.output)}</Pre>
        </section>
      )}
      <section>
        <h2>Agents</h2>
        <Axis trace={trace} />
        <RunTree agents={trace.agents} isAtWork={job.status === 'running'} />
      </section>
      {(job.diff_length ?? 0) > 0 && <Changed id={id} />}
      <RunLog id={id} />
    </article>
  );
}

function WhyLine({ why, status }: { readonly why: Why; readonly status: string }) {
  const { situation, items, gates } = why;
  if (status === 'completed') return null;
  const [item] = items;
  const [gate] = gates;
  const asked = item !== undefined ? `/items/${item.id}` : gate !== undefined ? `/gates/${gate.gate_id}` : null;
  return (
    <section className="why">
      <p>
        <strong>{situation.cause}</strong>
        {situation.next.fact !== null && ` ${situation.next.fact}`}
      </p>
      {asked !== null ? (
        <p>
          <Link href={asked}>Look at what is asked</Link>
        </p>
      ) : (
        situation.next.command !== '' && (
          <p className="quiet">
            At the workspace: <code>{situation.next.command}</code>
          </p>
        )
      )}
    </section>
  );
}

type Action = 'stop' | 'resume' | 'retry';

const ACTIONS: Readonly<Record<string, readonly Action[]>> = {
  running: ['stop'],
  queued: ['stop'],
  pending: ['stop'],
  deferred: ['resume', 'stop'],
  stopped: ['resume'],
  failed: ['retry'],
};

function Actions({
  job,
  done,
}: {
  readonly job: { readonly id: string; readonly status: string };
  readonly done: () => void;
}) {
  const { client } = useSession();
  const mayAct = useMayRun();
  const [next, setNext] = useState<Answered | null>(null);
  if (!mayAct)
    return <span className="quiet">You may look at runs, not act on them: your key lacks the scope serve:run.</span>;
  const act = async (action: Action): Promise<void> => {
    setNext(await client.post<Answered>(`/jobs/${encodeURIComponent(job.id)}/${action}`));
    done();
  };
  return (
    <span className="actions">
      {(ACTIONS[job.status] ?? []).map((action) => (
        <AskedButton key={action} word={capital(action)} yes={`Yes, ${action} it`} act={() => act(action)} />
      ))}
      {next !== null && <Said answered={next} of={job.id} />}
    </span>
  );
}

/** What the server answered to an act; `job_id` is another run where the act began one. */
interface Answered {
  readonly detail?: string;
  readonly job_id?: string;
}

function Said({ answered, of }: { readonly answered: Answered; readonly of: string }) {
  const { job_id: id, detail } = answered;
  if (id === undefined || id === of) return detail === undefined ? null : <span className="quiet">{detail}</span>;
  return (
    <span className="quiet">
      Goes on as <Link href={`/runs/${id}`}>{id}</Link>
    </span>
  );
}

function Changed({ id }: { readonly id: string }) {
  const { data, error } = useAsked<Diffs>(`/jobs/${encodeURIComponent(id)}/diff`);
  if (data === null) return error === null ? <Loading /> : <Problem error={error} />;
  return (
    <section>
      <h2>Changed files</h2>
      {Object.entries(data.diffs).map(([agent, diff]) => (
        <div key={agent}>
          <h3>{agent}</h3>
          <Diff text={diff} />
        </div>
      ))}
    </section>
  );
}
