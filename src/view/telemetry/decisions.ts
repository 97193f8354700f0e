import type { StoredEvent } from '../../domain/events.js';

/**
 * What was decided about an agent that was to begin, a tool that was to be called, or somebody who
 * signed; null: the event tells of none.
 */
export function verdictOf(event: StoredEvent): 'allow' | 'deny' | null {
  switch (event.type) {
    case 'agent.started':
      return 'allow';
    case 'policy.denied':
      // Of a tool its own event tells.
      return event.payload.action === 'agent:execute' ? 'deny' : null;
    case 'skill.executed':
    case 'approval.role_task_resolved':
      return event.payload.policy_decision;
    default:
      return null;
  }
}
