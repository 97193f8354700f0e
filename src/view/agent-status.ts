import { outageOfAgent } from './outage-view.js';
import type { AgentView, RunView } from './run-view.js';
import { waitsAtGate } from './waits-at-gate.js';

/**
 * How an agent stands, in words. One without an end runs only as long as its run does: what parked,
 * was stopped or cut off is not finished.
 */
export function agentStatusText(
  agent: Pick<AgentView, 'agentId' | 'status'>,
  view: Pick<RunView, 'gates' | 'status' | 'outages'>,
): string {
  if (agent.status !== 'running') return agent.status;
  if (waitsAtGate(agent, view)) return 'waits for people';
  if (outageOfAgent(agent, view) !== null) return 'waits for what is down';
  return view.status === 'running' || view.status === 'pending' || view.status === 'queued'
    ? 'running'
    : 'not finished';
}
