import type { StoredEvent } from '../../domain/events.js';
import { RUN_SPAN } from '../../domain/trace.js';
import type { RunView } from '../run-view.js';
import type { EndedDraft, SpanDraft } from './draft.js';
import { agentAbove } from './places.js';
import { msOf } from './segment.js';
import type { SpanTree } from './tree.js';

type WaitSubject = Extract<SpanDraft['of'], { type: 'wait' }>;

/** One event, as far as it opens or closes a wait for people. */
type WaitEvent =
  | { readonly what: 'opens'; readonly key: string; readonly subject: Omit<WaitSubject, 'outcome' | 'type'> }
  | { readonly what: 'closes'; readonly key: string; readonly outcome: string };

/**
 * Rounds of gates and other items that people were asked: from the question to the answer, over any
 * number of parks.
 */
export interface WaitFold {
  add(event: StoredEvent, view: RunView): readonly EndedDraft[];
}

interface OpenWait {
  readonly startMs: number;
  readonly parent: string;
  readonly subject: Omit<WaitSubject, 'outcome' | 'type'>;
}

export function createWaitFold(tree: SpanTree): WaitFold {
  const open = new Map<string, OpenWait>();
  const close = (key: string, end: StoredEvent, outcome: string): readonly EndedDraft[] => {
    const asked = open.get(key);
    open.delete(key);
    if (asked === undefined) return [];
    const { startMs, parent, subject } = asked;
    const draft: EndedDraft = {
      path: `wait:${key}`,
      parent,
      startMs,
      endMs: msOf(end),
      endedSeq: end.seq,
      error: outcome === 'rejected' || outcome === 'expired' ? outcome : null,
      of: { type: 'wait', ...subject, outcome },
    };
    return [tree.settle(draft, parent)];
  };
  return {
    add: (event, view) => {
      // Nobody can decide any more; a run that was stopped keeps its questions.
      if (event.type === 'run.ended' && event.payload.status !== 'stopped')
        return [...open.keys()].flatMap((key) => close(key, event, 'withdrawn'));
      const wait = waitOf(event);
      if (wait?.what === 'closes') return close(wait.key, event, wait.outcome);
      // A question about a tool comes after the tool's own end: it hangs below the agent.
      if (wait?.what === 'opens' && !open.has(wait.key))
        open.set(wait.key, {
          startMs: msOf(event),
          parent: agentAbove(view, event.stepKey ?? '') ?? RUN_SPAN,
          subject: wait.subject,
        });
      return [];
    },
  };
}

const gateKey = (gate: { readonly gate_id: string; readonly round: number }): string => `${gate.gate_id}@${gate.round}`;

function waitOf(event: StoredEvent): WaitEvent | null {
  switch (event.type) {
    case 'approval.gate_opened': {
      const { gate_id: id, round } = event.payload;
      return {
        what: 'opens',
        key: gateKey(event.payload),
        subject: { agentId: event.agentId, kind: 'gate', id, round },
      };
    }
    case 'approval.gate_resolved':
      return event.payload.status === 'pending'
        ? null
        : { what: 'closes', key: gateKey(event.payload), outcome: event.payload.status };
    case 'approval.changes_requested':
      return { what: 'closes', key: gateKey(event.payload), outcome: 'changes-requested' };
    case 'hitl.requested': {
      const { review_queue_id: id, kind } = event.payload;
      // A role's task is part of its gate.
      return kind === 'role_task'
        ? null
        : { what: 'opens', key: id, subject: { agentId: event.agentId, kind, id, round: 1 } };
    }
    case 'hitl.resolved':
      return { what: 'closes', key: event.payload.review_queue_id, outcome: event.payload.decision };
    default:
      return null;
  }
}
