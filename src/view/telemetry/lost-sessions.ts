import type { StoredEvent } from '../../domain/events.js';
import { RUN_SPAN } from '../../domain/trace.js';
import type { RunView } from '../run-view.js';
import { NO_USAGE } from '../usage-view.js';
import { type Cut, usageOf } from './agent-drafts.js';
import type { EndedDraft } from './draft.js';
import { agentAbove } from './places.js';
import { msOf } from './segment.js';
import type { SpanTree } from './tree.js';

/** Sessions that are under way: their spans but for their ends. */
type OpenSession = Omit<EndedDraft, 'endMs' | 'endedSeq' | 'error'>;

/**
 * Sessions without a result: kit was killed with them. What they told of hangs below them all the
 * same, so they end where the run went on, or with it.
 */
export interface SessionFold {
  add(event: StoredEvent, view: RunView, step: (key: string) => string): readonly EndedDraft[];
  close(cut: Cut | null): readonly EndedDraft[];
}

export function createSessionFold(tree: SpanTree): SessionFold {
  const open = new Map<string, OpenSession>();
  const lose = (key: string, end: Cut): readonly EndedDraft[] => {
    const session = open.get(key);
    open.delete(key);
    return session === undefined ? [] : [tree.settle({ ...session, ...end }, session.parent)];
  };
  return {
    add: (event, view, step) => {
      if (event.type === 'executor.result' && event.stepKey !== null) open.delete(event.stepKey);
      if (event.type === 'executor.started' && event.stepKey !== null)
        open.set(event.stepKey, sessionOf(event, event.stepKey, view, step));
      if (event.type !== 'step.repeated') return [];
      return lose(event.payload.key, {
        endMs: msOf(event),
        endedSeq: event.seq,
        error: event.payload.lost ?? 'lease_lost',
      });
    },
    close: (cut) => (cut === null ? [] : [...open.keys()].flatMap((key) => lose(key, cut))),
  };
}

function sessionOf(
  event: Extract<StoredEvent, { type: 'executor.started' }>,
  key: string,
  view: RunView,
  step: (key: string) => string,
): OpenSession {
  const { kind, ref } = event.payload;
  return {
    path: step(key),
    parent: agentAbove(view, key) ?? RUN_SPAN,
    startMs: msOf(event),
    of: {
      type: 'session',
      agentId: event.agentId,
      executor: `${kind}:${ref}`,
      status: 'lost',
      usage: usageOf(NO_USAGE),
    },
  };
}
