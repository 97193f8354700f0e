import { agentStatusText } from '../../view/agent-status.js';
import { type AgentGraph, type CallGraph, type CallRow, callGraph } from '../../view/call-graph.js';
import { durationText } from '../../view/lines/words.js';
import type { RunView } from '../../view/run-view.js';
import { agentTone, callTone, isUsed, usageText } from '../observe/words.js';
import { type Html, html, text } from './html.js';

/** More rows below one agent are counted and not drawn: `kit trace` has them all. */
const MAX_ROWS = 200;

/** Who called what, as nested lists that fold. */
export function callsSection(view: RunView): Html {
  const roots = callGraph(view);
  if (roots.length === 0) return html`<p class="soft">No agent has started.</p>`;
  return html`<ul class="tree">${roots.map((one) => node(one, view))}</ul>`;
}

const node = (one: CallGraph, view: RunView): Html => (one.kind === 'agent' ? agentNode(one, view) : callNode(one));

function agentNode({ agent, children }: AgentGraph, view: RunView): Html {
  const executor = agent.executor === 'model' ? '' : ` (${agent.executor})`;
  const facts = [
    agent.role,
    ...(agent.durationMs === null ? [] : [durationText(agent.durationMs)]),
    ...(isUsed(agent.usage) ? [usageText(agent.usage)] : []),
    ...(agent.reason === null ? [] : [agent.reason]),
  ];
  const head = html`<strong>${text(agent.agentId, 60)}</strong>${text(executor)} <span class="${text(agentTone(agent.status))}">${text(agentStatusText(agent, view))}</span> <span class="soft">${text(facts.join(' · '))}</span>`;
  if (children.length === 0) return html`<li>${head}</li>\n`;
  const hidden = children.length - MAX_ROWS;
  const more = hidden > 0 ? html`<li class="soft">and ${hidden} more, which kit trace shows</li>` : null;
  return html`<li><details open><summary>${head}</summary><ul>${children.slice(0, MAX_ROWS).map((child) => node(child, view))}${more}</ul></details></li>\n`;
}

function callNode({ call, count, longestMs }: CallRow): Html {
  const facts = [
    ...(longestMs === null ? [] : [`${count === 1 ? '' : 'at most '}${durationText(longestMs)}`]),
    ...(call.usage !== null && isUsed(call.usage) ? [usageText(call.usage)] : []),
    ...(call.reason === null ? [] : [call.reason]),
  ];
  const status = call.status === 'seen' ? 'under way' : call.status;
  return html`<li><span class="mono">${text(call.name, 80)}</span>${count === 1 ? null : html` ×${count}`} <span class="${text(callTone(call.status))}">${text(status)}</span> <span class="soft">${text(facts.join(' · '))}</span></li>\n`;
}
