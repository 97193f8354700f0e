import type { ExecutorEvent } from '../domain/ports/executor.js';
import type { StepContext } from './step-types.js';

const MAX_EVENT_TEXT = 2000;
const MAX_CALL_ID = 200;
/** As long as a name can be. */
const MAX_HOST = 253;

/**
 * Each event of a session is durable before the session goes on
 * (docs/design/journal.md#small-commits); a session id is a fact for a takeover.
 */
export function recordEvent(context: StepContext, agentId: string, event: ExecutorEvent): Promise<void> {
  switch (event.type) {
    case 'session':
      return context.note({ session: event.sessionId });
    case 'message':
      return context.emit({
        type: 'executor.message',
        agentId,
        skillId: null,
        payload: { role: event.role, text: event.text.slice(0, MAX_EVENT_TEXT) },
      });
    case 'tool_call':
      return context.emit({
        type: 'executor.tool_call',
        agentId,
        skillId: null,
        payload: {
          tool: event.tool,
          summary: event.summary.slice(0, MAX_EVENT_TEXT),
          status: event.status,
          ...(event.id === undefined ? {} : { call_id: event.id.slice(0, MAX_CALL_ID) }),
          ...(event.ends === true ? { ends: true } : {}),
        },
      });
    case 'network': {
      const { host, port, answer, reason } = event;
      const payload = { host: host.slice(0, MAX_HOST), port, answer, reason: reason.slice(0, MAX_EVENT_TEXT) };
      return context.emit({ type: 'executor.network', agentId, skillId: null, payload });
    }
    case 'raw':
      return context.emit({
        type: 'executor.message',
        agentId,
        skillId: null,
        payload: { role: 'raw', text: event.line.slice(0, MAX_EVENT_TEXT) },
      });
  }
}
