import { type ReactNode, useState } from 'react';
import type { Activation, Call } from '../api/types.js';
import { Status } from './small.js';
import { count, durationMs, money } from './words.js';

/** So many of a list at first, and with each wish for more. */
const AT_ONCE = 100;

/** The first of a list, and those of which more comes; the others when somebody wants them. */
function Some<T>({
  of: all,
  isLive,
  draw,
}: {
  readonly of: readonly T[];
  readonly isLive: (one: T) => boolean;
  readonly draw: (one: T) => ReactNode;
}) {
  const [most, setMost] = useState(AT_ONCE);
  const hidden = all.length - most;
  return (
    <>
      {(hidden <= 0 ? all : all.filter((one, n) => n < most || isLive(one))).map(draw)}
      {hidden > 0 && (
        <li>
          <button type="button" onClick={() => setMost(most + AT_ONCE)}>
            Show {count(Math.min(hidden, AT_ONCE))} of {count(hidden)} more
          </button>
        </li>
      )}
    </>
  );
}

const isAtWorkNow = ({ status }: Activation): boolean => status === 'running';

/**
 * Who called whom, with what each of them did. `isAtWork`: of a run that waits or is over nobody
 * works, whatever an agent was at last.
 */
export function RunTree({
  agents: activations,
  isAtWork,
}: {
  readonly agents: readonly Activation[];
  readonly isAtWork: boolean;
}) {
  const agents = isAtWork
    ? activations
    : activations.map((agent) => (agent.status === 'running' ? { ...agent, status: 'waiting' } : agent));
  const children = Map.groupBy(agents, ({ parent }) => parent);
  const known = new Set(agents.map(({ activation }) => activation));
  const roots = agents.filter(({ parent }) => parent === null || !known.has(parent));
  if (agents.length === 0) return <p className="quiet">No agent has begun.</p>;
  return (
    <ul className="tree">
      <Some
        of={roots}
        isLive={isAtWorkNow}
        draw={(root) => <Branch key={root.activation} agent={root} below={children} />}
      />
    </ul>
  );
}

function Branch({
  agent,
  below,
}: {
  readonly agent: Activation;
  readonly below: ReadonlyMap<string | null, readonly Activation[]>;
}) {
  const children = below.get(agent.activation) ?? [];
  const { usage } = agent;
  return (
    <li>
      <details open={children.length > 0 || agent.status !== 'ok'}>
        <summary>
          <Status status={agent.status} /> <strong>{agent.agent_id}</strong>{' '}
          <span className="quiet">
            {agent.executor === 'model' ? '' : agent.executor} {durationMs(agent.duration_ms)}
            {usage.input_tokens + usage.output_tokens > 0 &&
              `, ${count(usage.input_tokens + usage.output_tokens)} tokens, ${money(usage.cost_usd)}`}
            {agent.reason !== null && `, ${agent.reason}`}
          </span>
        </summary>
        {agent.trail.length > 0 && (
          <ol className="calls">
            <Some of={agent.trail} isLive={() => false} draw={(call) => <OneCall key={call.seq} call={call} />} />
          </ol>
        )}
        {children.length > 0 && (
          <ul>
            <Some
              of={children}
              isLive={isAtWorkNow}
              draw={(child) => <Branch key={child.activation} agent={child} below={below} />}
            />
          </ul>
        )}
      </details>
    </li>
  );
}

function OneCall({ call }: { readonly call: Call }) {
  return (
    <li>
      <span className={`dot ${call.status === 'ok' || call.status === 'seen' ? 'good' : 'bad'}`} aria-hidden="true" />
      {call.name} <span className="quiet">{call.status === 'ok' ? '' : call.status}</span>{' '}
      <span className="quiet">
        {durationMs(call.duration_ms)}
        {call.usage !== null && `, ${count(call.usage.output_tokens)} tokens out`}
        {call.message !== undefined && `, ${call.message}`}
      </span>
    </li>
  );
}
