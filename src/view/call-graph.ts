import { agentsByCaller } from './agent-tree.js';
import type { AgentCall, AgentView, RunView } from './run-view.js';

/**
 * An activation with what it called, in the order of the log: its own calls and the agents that it
 * asked.
 */
export interface AgentGraph {
  readonly kind: 'agent';
  readonly agent: AgentView;
  readonly children: readonly CallGraph[];
}

/** Calls of one name with one result that followed each other directly. */
export interface CallRow {
  readonly kind: 'calls';
  /** The first of them. */
  readonly call: AgentCall;
  readonly count: number;
  /**
   * The slowest of them: a sum would say nothing where some ran side by side. null = nobody
   * measured them all.
   */
  readonly longestMs: number | null;
}

export type CallGraph = AgentGraph | CallRow;

/**
 * Who called what: the roots of the tree of a folded view. Calls are in it where the view `keeps`
 * all.
 */
export function callGraph(view: RunView): readonly AgentGraph[] {
  const byCaller = agentsByCaller(view);
  const graphOf = (agent: AgentView): AgentGraph => {
    const asked = (byCaller.get(agent.activation) ?? []).map((child) => ({ seq: child.startedSeq, entry: child }));
    const called = agent.trail.map((call) => ({ seq: call.seq, entry: call }));
    const entries = [...asked, ...called].sort((a, b) => a.seq - b.seq).map(({ entry }) => entry);
    return { kind: 'agent', agent, children: joined(entries, graphOf) };
  };
  return (byCaller.get(null) ?? []).map(graphOf);
}

function joined(
  entries: readonly (AgentView | AgentCall)[],
  graphOf: (agent: AgentView) => AgentGraph,
): readonly CallGraph[] {
  const rows: CallGraph[] = [];
  for (const entry of entries) {
    const last = rows.at(-1);
    if ('activation' in entry) rows.push(graphOf(entry));
    else if (last?.kind === 'calls' && isSame(last.call, entry)) rows[rows.length - 1] = withOne(last, entry);
    else rows.push({ kind: 'calls', call: entry, count: 1, longestMs: entry.durationMs });
  }
  return rows;
}

const isSame = (a: AgentCall, b: AgentCall): boolean =>
  a.kind === b.kind &&
  a.name === b.name &&
  a.status === b.status &&
  a.reason === b.reason &&
  a.said === b.said &&
  a.kind !== 'model';

function withOne(row: CallRow, call: AgentCall): CallRow {
  const longestMs =
    row.longestMs === null || call.durationMs === null ? null : Math.max(row.longestMs, call.durationMs);
  return { ...row, count: row.count + 1, longestMs };
}
