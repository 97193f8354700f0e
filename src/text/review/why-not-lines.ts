import type { ListedPage } from '../../app/review/review-app.js';
import type { ReviewItem } from '../../domain/gates.js';
import { countText, oneLine } from '../../view/lines/words.js';
import type { Paint } from '../lines/paint.js';

/** More reasons say less than the first ones. */
const SHOWN = 5;

/** Below a list: why whoever looks cannot decide what waits in it, each reason once. */
export function whyNotLines({ items, asked }: Pick<ListedPage, 'items' | 'asked'>, paint: Paint): readonly string[] {
  const counts = new Map<string, number>();
  for (const item of items) {
    const reason = waits(item) ? (asked.get(item.id)?.you?.whyNot ?? null) : null;
    if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const lines = [...counts].map(
    ([reason, count]) => `you cannot decide ${countText(count, 'item')}: ${oneLine(reason, 300)}`,
  );
  const more = lines.length > SHOWN ? ['for more of them: kit review show ITEM'] : [];
  return [...lines.slice(0, SHOWN), ...more].map((line) => paint('dim', line));
}

const waits = ({ status, stale, withdrawn }: ReviewItem): boolean => status === 'pending' && !stale && !withdrawn;
