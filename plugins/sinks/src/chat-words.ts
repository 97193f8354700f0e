import type { JsonObject, LogEntry, SinkRun } from '@kit-run/kit/plugin';

/** What a channel is told, in words of no service yet. */
export interface ChatMessage {
  readonly text: string;
  /** What to do next: where, and how that place is called. Null: nothing. */
  readonly link: { readonly label: string; readonly url: string } | null;
}

/** Longest text of a model or a person that is shown; more stands behind the link. */
const MAX_CHARS = 300;

/** One line of text that somebody else wrote; '' = there is none. */
function said(payload: JsonObject, name: string): string {
  const value = payload[name];
  if (typeof value !== 'string') return '';
  const line = value.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u2800\s]+/gu, ' ').trim();
  return line.length <= MAX_CHARS ? line : `${line.slice(0, MAX_CHARS)}…`;
}

const after = (sign: string, text: string): string => (text === '' ? '' : `${sign}${text}`);

/**
 * What an event says to people in a channel: what they are asked, what came of it, and how a run
 * ended. Null: nobody there waits for it.
 */
export function messageOf(entry: LogEntry, links: SinkRun['links']): ChatMessage | null {
  const { event_type: type, topology_id: topology, run_id: run, agent_id: agent, payload } = entry;
  const what = `${topology}, run ${run}`;
  const gate = links === null ? null : (links.gate ?? links.run);
  const to = (label: string, url: string | null) => (url === null ? null : { label, url });
  const lines = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n');
  switch (type) {
    case 'funnel.gate_opened': {
      const round = typeof payload.round === 'number' && payload.round > 0 ? `, round ${payload.round + 1}` : '';
      return {
        text: lines(
          `${what} waits for people: gate ${said(payload, 'funnel_id')} of agent ${agent ?? ''}${round}`,
          after('a check says: ', said(payload, 'critique')),
          after('it expires at ', said(payload, 'expires_at')),
          gate === null ? `kit review gate ${said(payload, 'gate_id')}` : '',
        ),
        link: to('Look and decide', gate),
      };
    }
    case 'hitl.requested':
      // Tasks of a gate are told with their gate.
      if (payload.kind === 'role_task') return null;
      return {
        text: lines(
          `${what} asks people: ${said(payload, 'summary')}`,
          gate === null ? `kit review show ${said(payload, 'review_queue_id')}` : '',
        ),
        link: to('Look and answer', gate),
      };
    case 'approval.reminder':
      return {
        text: lines(`${what} still waits for people${after(': the gate expires at ', said(payload, 'expires_at'))}`),
        link: to('Look and decide', gate),
      };
    case 'approval.gate_resolved':
      return {
        text: lines(
          `${what}: the gate is ${said(payload, 'status')}${after(' by ', said(payload, 'by'))}`,
          after('', said(payload, 'comment')),
        ),
        link: to('Look', gate),
      };
    case 'run.ended':
      return {
        text: lines(`${what}: ${said(payload, 'status')}${after(', ', said(payload, 'error'))}`),
        link: to('Look', links?.run ?? null),
      };
    default:
      return null;
  }
}
