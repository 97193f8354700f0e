import { assertNever } from '../../lib/assert-never.js';
import { outcomeSuffix } from '../../view/executor-outcome.js';
import { limitText, untilText, whoIsDown } from '../../view/lines/failure-text.js';
import type { Tone } from '../../view/lines/tone.js';
import { costText, countText, durationText, oneLine, tokensText } from '../../view/lines/words.js';
import { outageOfAgent } from '../../view/outage-view.js';
import type { AgentView, RunView, ToolCallView } from '../../view/run-view.js';
import { costOf, type UsageView } from '../../view/usage-view.js';
import { waitsAtGate } from '../../view/waits-at-gate.js';

/** The state of an agent as a sign and in words: colour only repeats what they say. */
export interface AgentWords {
  readonly mark: string;
  readonly tone: Tone;
  readonly words: string;
}

/** `hasEnded`: the run is over, so an agent without an end was cut off. */
export function agentWords(agent: AgentView, of: { readonly view: RunView; readonly hasEnded: boolean }): AgentWords {
  const why = agent.reason === null ? '' : `: ${oneLine(agent.reason)}`;
  switch (agent.status) {
    case 'ok':
      return agent.outcome?.passed === false
        ? { mark: '!', tone: 'bad', words: `done${outcomeSuffix(agent.outcome)}` }
        : { mark: '✓', tone: 'good', words: `done${outcomeSuffix(agent.outcome)}` };
    case 'failed':
      return { mark: '✗', tone: 'bad', words: `failed${why}` };
    case 'denied':
      return { mark: '⊘', tone: 'bad', words: `denied${why}` };
    case 'running':
      if (waitsAtGate(agent, of.view)) return { mark: '◆', tone: 'warn', words: 'waits for people' };
      return of.hasEnded
        ? { mark: '○', tone: 'warn', words: 'not finished' }
        : { mark: '●', tone: 'plain', words: activityOf(agent, of.view) };
    default:
      return assertNever(agent.status);
  }
}

/** What a running agent is at. */
function activityOf(agent: AgentView, view: RunView): string {
  const outage = outageOfAgent(agent, view);
  if (outage !== null) {
    const { tries, until } = outage;
    const again = until === null ? '' : `: again at ${untilText(until)}`;
    return limitText(outage) ?? `${whoIsDown(outage)} is down, try ${tries}${again}`;
  }
  if (agent.current === null) return 'running';
  const { kind } = agent.current;
  const label = oneLine(agent.current.label, 60);
  switch (kind) {
    case 'thinking':
      return 'asking the model';
    case 'correcting':
      return 'correcting its answer';
    case 'tools':
      return label === '' ? 'calling tools' : `tools, last ${label}`;
    case 'harness':
      return label === agent.executor || label === '' ? `runs ${oneLine(agent.executor, 60)}` : label;
    case 'delegating': {
      const running = view.order.filter(
        (key) => view.agents[key]?.parent === agent.activation && view.agents[key]?.status === 'running',
      ).length;
      return running > 1 ? `waits for ${countText(running, 'agent')}` : `waits for ${label}`;
    }
    default:
      return assertNever(kind);
  }
}

/**
 * Milliseconds that an agent has run, by the clock that is handed in; the recorded time once it has
 * ended. Time while the run was parked does not count.
 */
export function runningMs(agent: AgentView, of: { readonly view: RunView; readonly nowMs: number }): number {
  if (agent.durationMs !== null) return agent.durationMs;
  return sinceMs([agent.startedAt, of.view.resumedAt], of.nowMs);
}

/** Milliseconds since the later of some times; 0 when there is none, or when a clock went back. */
export function sinceMs(times: readonly (string | null)[], nowMs: number): number {
  const known = times.filter((time) => time !== null).map((time) => Date.parse(time));
  return known.length === 0 ? 0 : Math.max(0, nowMs - Math.max(...known));
}

/** `1.1 s`, tokens, cost; what is not known yet or was not used is left out. */
export function factsOf(
  agent: AgentView,
  ms: number,
): { readonly time: string; readonly tokens: string; readonly cost: string } {
  const { usage } = agent;
  const isUsed = usage.inputTokens + usage.outputTokens > 0;
  return {
    time: durationText(ms),
    tokens: isUsed ? tokensText(usage) : '',
    cost: isUsed || usage.knownCostUsd > 0 || usage.unknownCosts > 0 ? spentText(usage) : '',
  };
}

/**
 * What was spent for certain carries a `+` when a part of it is not known: it is never shown as 0.
 */
export function spentText(usage: UsageView): string {
  const cost = costOf(usage);
  return cost === null && usage.knownCostUsd > 0 ? `${costText(usage.knownCostUsd)}+` : costText(cost);
}

/** The last tool calls of an agent in one line; '' = it made none. */
export function callsText(calls: readonly ToolCallView[]): string {
  return calls
    .map((call) =>
      [oneLine(call.tool, 40), CALL_WORDS[call.status], callTime(call)].filter((part) => part !== '').join(' '),
    )
    .join(' · ');
}

const CALL_WORDS: Readonly<Record<ToolCallView['status'], string>> = {
  ok: '✓',
  failed: '✗ failed',
  denied: '⊘ denied',
  refused: '⊘ refused',
  seen: '',
};

const callTime = ({ durationMs }: ToolCallView): string => (durationMs === null ? '' : durationText(durationMs));
