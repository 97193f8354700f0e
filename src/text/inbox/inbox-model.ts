import type { InboxItem, InboxPage, InboxRow } from '../../app/review/review-app.js';
import type { Outcome } from '../../domain/gates.js';
import type { GateElsewhere } from '../../domain/ports/remote-waits.js';
import type { Tone } from '../../view/lines/tone.js';
import type { InboxKey } from './inbox-key.js';

/** What is typed before a decision goes out. */
export interface Draft {
  readonly action: Outcome | 'answer';
  readonly text: string;
}

/** Orders of the list; the store's own is `oldest`. */
export const SORTS = ['oldest', 'newest', 'topology', 'submitter'] as const;
export type Sort = (typeof SORTS)[number];

/** Everything the inbox shows; plain data. */
export interface InboxState {
  readonly identity: string;
  /** As they were read, oldest first; `shownRows` filters and sorts them. */
  readonly rows: readonly InboxRow[];
  readonly total: number;
  readonly hasMore: boolean;
  readonly roles: readonly string[];
  /** What people elsewhere decide: shown below the last row, and never decided here. */
  readonly elsewhere: readonly GateElsewhere[];
  /** The store's clock when the newest page was read; ages count from it. */
  readonly now: string | null;
  /** Index among the rows that are shown, and what is decided elsewhere behind them. */
  readonly cursor: number;
  /** Words that a shown row has, in any case; '' = all rows are shown. */
  readonly filter: string;
  /** The filter is being typed. */
  readonly isFiltering: boolean;
  readonly sort: Sort;
  /** Ids of items that are decided together. */
  readonly marked: readonly string[];
  /** The item that is open; null = the list. */
  readonly item: InboxItem | null;
  readonly scroll: number;
  /** Files of a diff that are folded or not against what the path says, by path. */
  readonly folds: Readonly<Record<string, boolean>>;
  /** The file that `f` folds: its index in the open item. */
  readonly fileAt: number;
  /** Lines of the open item and of its view, as the last drawing counted them. */
  readonly size: {
    readonly lines: number;
    readonly view: number;
    /** Lines at which sections begin, files among them. */
    readonly sections: readonly number[];
    readonly files: readonly FilePlace[];
  };
  readonly draft: Draft | null;
  /** A decision about the marked items waits for a yes. */
  readonly isConfirming: boolean;
  /** What keys do is shown in place of everything else. */
  readonly isHelp: boolean;
  /** What is under way; keys that would begin something wait for it. */
  readonly busy: 'page' | 'item' | 'decide' | null;
  readonly message: { readonly tone: Tone; readonly text: string } | null;
  /** Null while it is open. */
  readonly left: 'quit' | 'interrupted' | null;
}

/** Where a file of a diff begins in an open item. */
export interface FilePlace {
  readonly path: string;
  readonly line: number;
  readonly isFolded: boolean;
}

/** What the shell has to do. */
export type InboxEffect =
  | { readonly kind: 'page'; readonly afterId: string | null; readonly limit: number }
  /** Nothing waits for it: what other people did meanwhile is looked up. */
  | { readonly kind: 'refresh'; readonly itemId: string | null; readonly limit: number }
  | { readonly kind: 'open'; readonly itemId: string }
  | { readonly kind: 'resolve'; readonly itemId: string; readonly outcome: Outcome; readonly comment: string }
  | {
      readonly kind: 'answer';
      readonly itemId: string;
      readonly action: 'approve' | 'reject' | 'answer';
      readonly text: string;
    }
  /** The same decision about several items, one after the other. */
  | {
      readonly kind: 'decide-many';
      readonly itemIds: readonly string[];
      readonly areTasks: boolean;
      readonly outcome: Outcome;
      readonly comment: string;
    };

/** What reaches the inbox: keys, and what its effects came to. */
export type InboxInput =
  | { readonly kind: 'key'; readonly key: InboxKey }
  | { readonly kind: 'page'; readonly page: InboxPage; readonly afterId: string | null }
  | { readonly kind: 'item'; readonly item: InboxItem }
  /** Time to look again. */
  | { readonly kind: 'tick' }
  | { readonly kind: 'refreshed'; readonly page: InboxPage | null; readonly item: InboxItem | null }
  | { readonly kind: 'recorded'; readonly tone?: Tone; readonly text: string }
  /** What became of a run that was decided here. */
  | { readonly kind: 'noticed'; readonly text: string }
  /** The use case refused, or failed; `hint` may be ''. */
  | { readonly kind: 'failed'; readonly message: string; readonly hint: string }
  | { readonly kind: 'drawn'; readonly size: InboxState['size'] };

export interface InboxStep {
  readonly state: InboxState;
  readonly effect: InboxEffect | null;
}

/** Rows of a page: several screens, and never the whole of a long list. */
export const PAGE_ROWS = 50;
/** Of a page that is read to be filtered or sorted. */
export const WIDE_PAGE_ROWS = 200;
/** More rows are not read to be filtered or sorted; the list says so. */
export const MAX_ROWS = 2_000;

export const stay = (state: InboxState): InboxStep => ({ state, effect: null });
export const lastScroll = ({ lines, view }: InboxState['size']): number => Math.max(0, lines - view);

/** After a decision the list is read anew: other people decide meanwhile. */
export const reload = (state: InboxState): InboxStep => ({
  state: { ...state, busy: 'page' },
  effect: { kind: 'page', afterId: null, limit: isPicking(state) ? WIDE_PAGE_ROWS : PAGE_ROWS },
});

/** A filter or another order needs every row, not the oldest. */
export const isPicking = ({ filter, isFiltering, sort }: InboxState): boolean =>
  filter !== '' || isFiltering || sort !== 'oldest';

export const missing = (state: InboxState, text: string): InboxStep =>
  stay({ ...state, message: { tone: 'warn', text } });
