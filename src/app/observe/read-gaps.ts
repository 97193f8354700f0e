import type { EventLog } from '../../domain/ports/event-log.js';
import { type GapsView, gapsOf, NO_GAPS, reduceGaps, type SkillGap } from '../../view/skill-gaps.js';

const PAGE = 1000;

/** See `ObserveApp.gaps`. Reads the events of one type, of every run of the store. */
export async function readGaps(events: EventLog): Promise<readonly SkillGap[]> {
  let view: GapsView = NO_GAPS;
  let after = '';
  while (true) {
    const page = await events.read({ types: ['skill.gap'], limit: PAGE, ...(after === '' ? {} : { after }) });
    for (const event of page.events) view = reduceGaps(view, event);
    if (!page.hasMore) return gapsOf(view);
    after = page.nextCursor;
  }
}
