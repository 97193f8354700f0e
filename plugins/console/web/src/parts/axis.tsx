import type { Activation, RunView } from '../api/types.js';
import { durationMs } from './words.js';

/** Agents over the time of the run. A pause of the whole run is drawn no longer than this share. */
const LONGEST_PAUSE = 0.08;
const MAX_BARS = 60;

interface Bar {
  readonly agent: Activation;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Time with what nobody worked in drawn short: a run that waited a week is still seen whole. */
function squeezed(bars: readonly Bar[]): (ms: number) => number {
  const edges = [...new Set(bars.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]))].sort((a, b) => a - b);
  const busy = (from: number, until: number): boolean => bars.some((bar) => bar.fromMs < until && bar.untilMs > from);
  const spans = edges.slice(1).map((until, n) => ({ from: edges[n] ?? until, until }));
  const work = spans
    .filter(({ from, until }) => busy(from, until))
    .reduce((sum, { from, until }) => sum + until - from, 0);
  const pause = Math.max(1, work) * LONGEST_PAUSE;
  let at = 0;
  const places = spans.map(({ from, until }) => {
    const place = { from, until, at, width: busy(from, until) ? until - from : Math.min(until - from, pause) };
    at += place.width;
    return place;
  });
  const total = Math.max(1, at);
  return (ms) => {
    const place = places.find(({ until }) => ms <= until) ?? places.at(-1);
    if (place === undefined) return 0;
    const share = place.until === place.from ? 0 : (ms - place.from) / (place.until - place.from);
    return (place.at + Math.min(1, Math.max(0, share)) * place.width) / total;
  };
}

export function Axis({ trace }: { readonly trace: RunView['trace'] }) {
  const nowMs = Date.parse(trace.ended_at ?? new Date().toISOString());
  const bars = trace.agents
    // The root lasts as long as the run, waiting included: what it calls shows where time went.
    .filter((agent, _, all) => all.length === 1 || agent.parent !== null)
    .slice(0, MAX_BARS)
    .map((agent): Bar => {
      const fromMs = Date.parse(agent.started_at);
      return {
        agent,
        fromMs,
        untilMs: Math.max(fromMs + 1, agent.ended_at === null ? nowMs : Date.parse(agent.ended_at)),
      };
    });
  if (bars.length < 2) return null;
  const at = squeezed(bars);
  return (
    <ol className="axis" aria-label="Agents over time">
      {bars.map(({ agent, fromMs, untilMs }) => (
        <li key={agent.activation}>
          <span>{agent.agent_id}</span>
          <span className="track">
            <span
              className={`bar ${agent.status}`}
              title={`${agent.agent_id} ${durationMs(agent.duration_ms)}`}
              style={{ left: `${at(fromMs) * 100}%`, width: `${Math.max(0.4, (at(untilMs) - at(fromMs)) * 100)}%` }}
            />
          </span>
        </li>
      ))}
    </ol>
  );
}
