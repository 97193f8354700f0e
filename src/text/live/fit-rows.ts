import type { AgentRow } from '../../view/agent-tree.js';
import type { AgentView } from '../../view/run-view.js';

/** The part of a tree that fits on the screen, in tree order, and what was left out. */
export interface FittedRows {
  readonly rows: readonly AgentRow[];
  readonly hidden: readonly AgentView[];
}

/**
 * Chooses at most `capacity` agents: the root, then those that run with their callers, then those
 * that went wrong, then the latest that are done. A row is never shown without its callers, or the
 * tree would lie about who called whom.
 */
export function fitRows(tree: readonly AgentRow[], capacity: number): FittedRows {
  if (tree.length <= capacity) return { rows: tree, hidden: [] };
  const byKey = new Map(tree.map(({ agent }) => [agent.activation, agent]));
  const chosen = new Set<string>();
  for (const agent of inOrderOfNeed(tree)) {
    const path = pathTo(agent, byKey).filter((key) => !chosen.has(key));
    if (chosen.size + path.length > capacity) continue;
    for (const key of path) chosen.add(key);
  }
  return {
    rows: withLastChildren(tree.filter(({ agent }) => chosen.has(agent.activation))),
    hidden: tree.flatMap(({ agent }) => (chosen.has(agent.activation) ? [] : [agent])),
  };
}

function inOrderOfNeed(tree: readonly AgentRow[]): readonly AgentView[] {
  const agents = tree.map(({ agent }) => agent);
  const done = agents
    .filter(({ status }) => status === 'ok')
    .sort((a, b) => (b.endedAt ?? '').localeCompare(a.endedAt ?? ''));
  return [
    ...agents.filter(({ status }) => status === 'running'),
    ...agents.filter(({ status }) => status === 'failed' || status === 'denied'),
    ...done,
  ];
}

/**
 * Activation keys from the agent up to its outermost caller. A caller that calls itself, in a
 * broken log, ends it.
 */
function pathTo(agent: AgentView, byKey: ReadonlyMap<string, AgentView>): readonly string[] {
  const path: string[] = [];
  let at: AgentView | undefined = agent;
  while (at !== undefined && !path.includes(at.activation)) {
    path.push(at.activation);
    at = at.parent === null ? undefined : byKey.get(at.parent);
  }
  return path;
}

/** Who is the last child depends on which of them are shown. */
function withLastChildren(rows: readonly AgentRow[]): readonly AgentRow[] {
  return rows.map((row, index) => {
    const next = rows.slice(index + 1).find(({ depth }) => depth <= row.depth);
    return { ...row, isLastChild: next === undefined || next.depth < row.depth };
  });
}

/**
 * The lines in front of each row: `├─ ` and `└─ ` below their caller, which `│ ` leads down to.
 */
export function treePrefixes(rows: readonly AgentRow[]): readonly string[] {
  const trunk: string[] = [];
  return rows.map(({ depth, isLastChild }) => {
    if (depth === 0) return '';
    trunk.length = depth - 1;
    const above = trunk.map((part) => part ?? '   ').join('');
    trunk[depth - 1] = isLastChild ? '   ' : '│  ';
    return `${above}${isLastChild ? '└─ ' : '├─ '}`;
  });
}
