import type { EventPayloads } from '../../domain/generated/events.js';
import type { NewEvent } from '../new-event.js';

type Payload = EventPayloads['skill.executed'];

/** Which call was made, by whom. */
export interface ExecutedCall {
  readonly agentId: string;
  /** null: no skill of the workspace, but a tool of kit's own. */
  readonly skillId: string | null;
  readonly tool: string;
  readonly effects: Payload['effects'];
}

/**
 * The one event of a call. `refused`: why governance said no to it; absent: it said yes, or there
 * was nothing left to ask.
 */
export function executedEvent(
  { agentId, skillId, tool, effects }: ExecutedCall,
  done:
    | { readonly refused: string }
    | { readonly status: 'ok' | 'failed'; readonly reason: string | null; readonly durationMs: number },
  more: Partial<Payload> = {},
): NewEvent {
  const end =
    'refused' in done
      ? ({
          status: 'denied',
          reason: 'denied',
          policy_decision: 'deny',
          policy_reason: done.refused,
          duration_ms: 0,
        } as const)
      : ({
          status: done.status,
          reason: done.reason,
          policy_decision: 'allow',
          policy_reason: null,
          duration_ms: done.durationMs,
        } as const);
  return { type: 'skill.executed', agentId, skillId, payload: { tool, effects, ...end, ...more } };
}
