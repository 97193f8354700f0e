import type { StoredEvent } from '../../domain/events.js';
import type { RunTrace } from '../../domain/ports/run-trace.js';
import type { Segment } from './segment.js';

/** What was decided about agents that were to begin, tools that were to be called, and people who signed. */
export function decisionsIn({ events, afterSeq }: Segment): RunTrace['decisions'] {
  const verdicts = events.filter(({ seq }) => seq > afterSeq).map(verdictOf);
  return { allow: verdicts.filter((verdict) => verdict === 'allow').length, deny: verdicts.filter((verdict) => verdict === 'deny').length };
}

function verdictOf(event: StoredEvent): 'allow' | 'deny' | null {
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
