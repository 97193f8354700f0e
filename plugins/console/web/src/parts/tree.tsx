import type { Activation, Call } from '../api/types.js';
import { Status } from './small.js';
import { count, durationMs, money } from './words.js';

/**
 * Who called whom, with what each of them did. `isAtWork`: of a run that waits or is over nobody
 * works, whatever an agent was at last.
 */
export function RunTree({
  agents: told,
  isAtWork,
}: {
  readonly agents: readonly Activation[];
  readonly isAtWork: boolean;
}) {
  const agents = isAtWork
    ? told
    : told.map((agent) => (agent.status === 'running' ? { ...agent, status: 'waiting' } : agent));
  const children = Map.groupBy(agents, ({ parent }) => parent);
  const known = new Set(agents.map(({ activation }) => activation));
  const roots = agents.filter(({ parent }) => parent === null || !known.has(parent));
  if (agents.length === 0) return <p className="quiet">No agent has begun.</p>;
  return (
    <ul className="tree">
      {roots.map((root) => (
        <Branch key={root.activation} agent={root} below={children} />
      ))}
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
            {agent.trail.map((call) => (
              <OneCall key={call.seq} call={call} />
            ))}
          </ol>
        )}
        {children.length > 0 && (
          <ul>
            {children.map((child) => (
              <Branch key={child.activation} agent={child} below={below} />
            ))}
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
