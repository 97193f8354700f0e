import { isWaiting } from '../domain/job.js';
import { limitText } from './lines/failure-text.js';
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
  const outage = outageOfAgent(agent, view);
  if (outage?.remote !== undefined) return outage.remote.gateUrl === null ? 'waits for an agent' : 'waits for people';
  if (outage !== null) return limitText(outage) === null ? 'waits for what is down' : 'waits for the provider';
  return view.status === 'running' || isWaiting(view.status) ? 'running' : 'not finished';
}
