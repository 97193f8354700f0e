import type { AgentView, RunView } from './run-view.js';

/** A gate stands open for what the agent made. */
export const waitsAtGate = (agent: Pick<AgentView, 'agentId'>, view: Pick<RunView, 'gates'>): boolean =>
  Object.values(view.gates).some(
    (gate) => gate.agentId === agent.agentId && gate.status === 'pending' && !gate.withdrawn,
  );
