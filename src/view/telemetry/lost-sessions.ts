import { NO_USAGE } from '../usage-view.js';
import { endOf, type Places, usageOf } from './agent-drafts.js';
import type { SpanDraft } from './draft.js';
import { type EventOf, msOf, type Segment } from './segment.js';

/**
 * Sessions without a result: kit was killed with them. What they told of hangs below them all the same, so they end where the run went
 * on, or with it.
 */
export function lostSessions(segment: Segment, places: Places): readonly SpanDraft[] {
  const open = new Map<string, EventOf<'executor.started'>>();
  const lost: SpanDraft[] = [];
  const close = (key: string, end: Pick<SpanDraft, 'endMs' | 'endedSeq' | 'error'>): void => {
    const started = open.get(key);
    open.delete(key);
    if (started === undefined) return;
    const { kind, ref } = started.payload;
    lost.push({
      path: places.paths.get(started.seq) ?? key,
      parent: places.above(key),
      startMs: msOf(started),
      ...end,
      of: { type: 'session', agentId: started.agentId, executor: `${kind}:${ref}`, status: 'lost', usage: usageOf(NO_USAGE) },
    });
  };
  for (const event of segment.events) {
    if (event.type === 'executor.result' && event.stepKey !== null) open.delete(event.stepKey);
    if (event.type === 'step.repeated')
      close(event.payload.key, { endMs: msOf(event), endedSeq: event.seq, error: event.payload.lost ?? 'lease_lost' });
    if (event.type === 'executor.started' && event.stepKey !== null) open.set(event.stepKey, event);
  }
  const cut = endOf(segment);
  if (cut !== null) for (const key of [...open.keys()]) close(key, cut);
  return lost;
}
