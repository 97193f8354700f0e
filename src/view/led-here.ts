import { agentStatusText } from './agent-status.js';
import { type CallGraph, callGraph } from './call-graph.js';
import type { RunView } from './run-view.js';
import { costOf } from './usage-view.js';

/** One agent, or calls of one name with one result, on the way to what is asked. */
export interface LedStep {
  /** 0 for the first agent. */
  readonly depth: number;
  readonly kind: 'agent' | 'call';
  /** Of the agent, or of what it called. */
  readonly name: string;
  /** In words: `ok`, `failed`, `waits for people`. */
  readonly status: string;
  /** How many such calls followed each other; 1 for an agent. */
  readonly count: number;
  /** Of an agent: its calls of models; 0 for a call. */
  readonly modelCalls: number;
  /** Null: not ended, or nobody measured it. */
  readonly durationMs: number | null;
  /** Of an agent; null for a call, and for a cost that is unknown. */
  readonly costUsd: number | null;
}

/** What happened before people were asked, a line each. */
export interface LedHere {
  readonly steps: readonly LedStep[];
  /** Steps that are not among them: `kit trace` has all. */
  readonly leftOut: number;
}

/** More than a screen of them says less than the first ones and a number. */
const MAX_STEPS = 40;

/**
 * Callers before what they called, in the order of the log. Calls of a model are counted at their
 * agent; the view must `keep` every call.
 */
export function ledHere(view: RunView): LedHere {
  const all = callGraph(view).flatMap((root) => stepsOf(root, 0, view));
  return { steps: all.slice(0, MAX_STEPS), leftOut: Math.max(0, all.length - MAX_STEPS) };
}

function stepsOf(node: CallGraph, depth: number, view: RunView): readonly LedStep[] {
  if (node.kind === 'calls') {
    const { call, count, longestMs } = node;
    if (call.kind === 'model') return [];
    const status = call.status === 'seen' ? 'under way' : call.status;
    return [
      { depth, kind: 'call', name: call.name, status, count, modelCalls: 0, durationMs: longestMs, costUsd: null },
    ];
  }
  const { agent, children } = node;
  const own: LedStep = {
    depth,
    kind: 'agent',
    name: agent.agentId,
    status: agentStatusText(agent, view),
    count: 1,
    modelCalls: agent.calls.model,
    durationMs: agent.durationMs,
    costUsd: costOf(agent.usage),
  };
  return [own, ...children.flatMap((child) => stepsOf(child, depth + 1, view))];
}
