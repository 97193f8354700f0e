import { useSyncExternalStore } from 'react';
import { Link, useLocation } from 'wouter';
import type { InboxItem } from '../api/types.js';
import { oneLine } from './words.js';

export type Outcome = 'approve' | 'reject' | 'changes_requested' | 'answer';

/** What somebody has just decided, told on the page that they were led to. */
interface Said {
  readonly outcome: Outcome | 'open_again';
  readonly item: Pick<InboxItem, 'id' | 'question' | 'request'>;
  readonly place: string;
}

const WORDS: Readonly<Record<Said['outcome'], string>> = {
  approve: 'You approved',
  reject: 'You rejected',
  changes_requested: 'You asked for changes of',
  answer: 'You answered',
  open_again: 'Too few people have signed. Somebody who has not signed yet must still decide',
};

/** In the memory of the page, as the key is: nothing of a run is left in the browser's history. */
let said: Said | null = null;
const readers = new Set<() => void>();

export function say(next: Said): void {
  said = next;
  for (const reader of readers) reader();
}

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

/**
 * The next item looks like the one before: without a word nobody knows that a decision was taken,
 * and may take another one for it.
 */
export function SaidLine() {
  const [place] = useLocation();
  const now = useSyncExternalStore(subscribe, () => said);
  return (
    <div role="status">
      {now !== null && now.place === place && (
        <p className="said">
          {WORDS[now.outcome]}{' '}
          <Link href={`/items/${encodeURIComponent(now.item.id)}`}>
            {oneLine(now.item.question ?? now.item.request.input, 80)}
          </Link>
          {now.place === '/' ? '.' : '. Here is the next one.'}
        </p>
      )}
    </div>
  );
}
