import type { StoredEvent } from '../../domain/events.js';
import type { Places } from './agent-drafts.js';
import type { SpanDraft } from './draft.js';
import { msOf, type Segment } from './segment.js';

type WaitSubject = Extract<SpanDraft['of'], { type: 'wait' }>;

/** One event, as far as it opens or closes a wait for people. */
type WaitEvent =
  | { readonly what: 'opens'; readonly key: string; readonly subject: Omit<WaitSubject, 'outcome' | 'type'> }
  | { readonly what: 'closes'; readonly key: string; readonly outcome: string };

/** Rounds of gates and other items that people were asked: from the question to the answer, over any number of parks. */
export function waitDrafts(segment: Segment, places: Places): readonly SpanDraft[] {
  const open = new Map<string, { readonly event: StoredEvent; readonly subject: Omit<WaitSubject, 'outcome' | 'type'> }>();
  const closed: SpanDraft[] = [];
  const close = (key: string, end: StoredEvent, outcome: string): void => {
    const asked = open.get(key);
    open.delete(key);
    if (asked === undefined) return;
    const { event, subject } = asked;
    closed.push({
      path: `wait:${key}`,
      parent: places.above(event.stepKey ?? ''),
      startMs: msOf(event),
      endMs: msOf(end),
      endedSeq: end.seq,
      error: outcome === 'rejected' || outcome === 'expired' ? outcome : null,
      of: { type: 'wait', ...subject, outcome },
    });
  };
  for (const event of segment.events) {
    const wait = waitOf(event);
    if (wait?.what === 'opens' && !open.has(wait.key)) open.set(wait.key, { event, subject: wait.subject });
    if (wait?.what === 'closes') close(wait.key, event, wait.outcome);
    // Nobody can decide any more; a run that was stopped keeps its questions.
    if (event.type === 'run.ended' && event.payload.status !== 'stopped') for (const key of [...open.keys()]) close(key, event, 'withdrawn');
  }
  return closed;
}

const gateKey = (gate: { readonly gate_id: string; readonly round: number }): string => `${gate.gate_id}@${gate.round}`;

function waitOf(event: StoredEvent): WaitEvent | null {
  switch (event.type) {
    case 'approval.gate_opened': {
      const { gate_id: id, round } = event.payload;
      return { what: 'opens', key: gateKey(event.payload), subject: { agentId: event.agentId, kind: 'gate', id, round } };
    }
    case 'approval.gate_resolved':
      return event.payload.status === 'pending' ? null : { what: 'closes', key: gateKey(event.payload), outcome: event.payload.status };
    case 'approval.changes_requested':
      return { what: 'closes', key: gateKey(event.payload), outcome: 'changes-requested' };
    case 'hitl.requested': {
      const { review_queue_id: id, kind } = event.payload;
      // A role's task is part of its gate.
      return kind === 'role_task' ? null : { what: 'opens', key: id, subject: { agentId: event.agentId, kind, id, round: 1 } };
    }
    case 'hitl.resolved':
      return { what: 'closes', key: event.payload.review_queue_id, outcome: event.payload.decision };
    default:
      return null;
  }
}
