import { agentStatusText } from '../../view/agent-status.js';
import { type AgentGraph, type CallGraph, type CallRow, callGraph } from '../../view/call-graph.js';
import { durationText } from '../../view/lines/words.js';
import type { RunView } from '../../view/run-view.js';
import { agentTone, callTone, isUsed, usageText } from '../lines/words.js';
import { type Html, html, text } from './html.js';

/** More rows below one agent are counted and not drawn: `kit trace` has them all. */
const MAX_ROWS = 200;

/** Of the whole tree. */
const MAX_BYTES = 512 * 1024;

/** Who called what, as nested lists that fold. */
export function callsSection(view: RunView): Html {
  const roots = callGraph(view);
  if (roots.length === 0) return html`<p class="soft">No agent has started.</p>`;
  const tree: Tree = { view, room: MAX_BYTES };
  return html`<ul class="tree">${roots.map((one) => node(one, tree))}</ul>`;
}

interface Tree {
  readonly view: RunView;
  /** Bytes that are left for the rows to come. */
  room: number;
}

const node = (one: CallGraph, tree: Tree): Html => (one.kind === 'agent' ? agentNode(one, tree) : callNode(one, tree));

function paid(tree: Tree, row: Html): Html {
  tree.room -= Buffer.byteLength(row.markup);
  return row;
}

function agentNode({ agent, children }: AgentGraph, tree: Tree): Html {
  const { view } = tree;
  const executor = agent.executor === 'model' ? '' : ` (${agent.executor})`;
  const facts = [
    agent.role,
    ...(agent.durationMs === null ? [] : [durationText(agent.durationMs)]),
    ...(isUsed(agent.usage) ? [usageText(agent.usage)] : []),
    ...(agent.reason === null ? [] : [agent.reason]),
  ];
  const head = html`<strong>${text(agent.agentId, 60)}</strong>${text(executor)} <span class="${text(agentTone(agent.status))}">${text(agentStatusText(agent, view))}</span> <span class="soft">${text(facts.join(' · '))}</span>`;
  paid(tree, head);
  if (children.length === 0) return html`<li>${head}</li>\n`;
  const shown: Html[] = [];
  for (const child of children) {
    if (shown.length === MAX_ROWS || tree.room <= 0) break;
    shown.push(node(child, tree));
  }
  const hidden = children.length - shown.length;
  const more =
    hidden > 0
      ? html`<li class="soft">and ${hidden} more, which kit trace ${text(tree.view.jobId ?? '')} shows</li>`
      : null;
  return html`<li><details open><summary>${head}</summary><ul>${shown}${more}</ul></details></li>\n`;
}

function callNode({ call, count, longestMs }: CallRow, tree: Tree): Html {
  const facts = [
    ...(longestMs === null ? [] : [`${count === 1 ? '' : 'at most '}${durationText(longestMs)}`]),
    ...(call.usage !== null && isUsed(call.usage) ? [usageText(call.usage)] : []),
    ...(call.reason === null ? [] : [call.reason]),
    ...(call.said === undefined ? [] : [call.said]),
  ];
  const status = call.status === 'seen' ? 'under way' : call.status;
  return paid(
    tree,
    html`<li><span class="mono">${text(call.name, 80)}</span>${count === 1 ? null : html` ×${count}`} <span class="${text(callTone(call.status))}">${text(status)}</span> <span class="soft">${text(facts.join(' · '))}</span></li>\n`,
  );
}
