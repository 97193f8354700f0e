import { Link } from 'wouter';
import type { AskedRequest, Decided } from '../api/types.js';
import { Ago, At, Fact, Facts, Pre, Status } from './small.js';
import { durationMs, money } from './words.js';

/** Who wants what: what a person reads before anything else. */
export function AskedFacts({ request }: { readonly request: AskedRequest }) {
  const { submitted_by: by, labels } = request;
  return (
    <section className="asked">
      {request.description !== null && <p className="lead">{request.description}</p>}
      <h2>Input</h2>
      <Pre name="input">{request.input}</Pre>
      {request.input_cut && (
        <p className="quiet">
          The beginning of {request.input_chars} characters.{' '}
          <Link href={`/runs/${request.run_id}`}>The whole input</Link>
        </p>
      )}
      <Facts>
        <Fact name="From">
          {by.identity} <span className="quiet">({by.assurance})</span>
        </Fact>
        <Fact name="Asked">
          <Ago at={request.asked_at} />
        </Fact>
        <Fact name="Run">
          <Link href={`/runs/${request.run_id}`}>{request.run_id.slice(0, 12)}</Link>
        </Fact>
        {request.correlation_id !== null && <Fact name="Correlation">{request.correlation_id}</Fact>}
        <Fact name="Came by">{request.source}</Fact>
        <Fact name="So far">{money(request.cost_usd)}</Fact>
        {request.attachments.length > 0 && <Fact name="Attached">{request.attachments.join(', ')}</Fact>}
        {Object.entries(labels).map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </Facts>
    </section>
  );
}

export function LedHere({ led }: { readonly led: AskedRequest['led_here'] }) {
  if (led === null || led.steps.length === 0) return null;
  return (
    <details>
      <summary>How it came here</summary>
      <ol className="steps">
        {led.steps.map((step, place) => (
          <li key={place} style={{ marginInlineStart: `${step.depth * 1.2}rem` }}>
            <Status status={step.status} /> {step.name}
            {step.count > 1 && ` x${step.count}`}{' '}
            <span className="quiet">
              {durationMs(step.duration_ms)} {step.cost_usd !== null && step.cost_usd > 0 && money(step.cost_usd)}
            </span>
          </li>
        ))}
      </ol>
      {led.left_out > 0 && <p className="quiet">{led.left_out} more steps.</p>}
    </details>
  );
}

export function Decisions({ decisions }: { readonly decisions: readonly Decided[] }) {
  if (decisions.length === 0) return null;
  return (
    <section>
      <h2>Decisions</h2>
      <ul className="decisions">
        {decisions.map((decision) => (
          <li key={`${decision.at} ${decision.by} ${decision.role}`} className={decision.counts ? '' : 'stale'}>
            <strong>{decision.by === '' ? 'Somebody' : decision.by}</strong>
            {decision.role !== null && ` as ${decision.role}`}: {saidOf(decision)}
            {decision.round > 0 && ` in round ${decision.round}`}{' '}
            <span className="quiet">
              <At at={decision.at} />
            </span>
            {decision.comment !== '' && <blockquote>{decision.comment}</blockquote>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What was done, in a word, or what was answered. */
const saidOf = ({ answer, outcome }: Decided): string =>
  answer === undefined ? outcome.replace('_', ' ') : `answered ${answer}`;
