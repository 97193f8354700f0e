import type { InboxItem, InboxPage, InboxRow } from '../../app/review/review-app.js';
import type { Outcome } from '../../domain/gates.js';
import { assertNever } from '../../lib/assert-never.js';
import type { Tone } from '../../view/lines/tone.js';
import type { InboxKey } from './inbox-keys.js';

/** What is typed before a decision goes out. */
export interface Draft {
  readonly action: Outcome | 'answer';
  readonly text: string;
}

/** Everything the inbox shows; plain data. */
export interface InboxState {
  readonly identity: string;
  readonly rows: readonly InboxRow[];
  readonly total: number;
  readonly hasMore: boolean;
  readonly roles: readonly string[];
  /** The store's clock when the newest page was read; ages count from it. */
  readonly now: string | null;
  readonly cursor: number;
  /** The item that is open; null = the list. */
  readonly item: InboxItem | null;
  readonly scroll: number;
  /** Lines of the open item and of its view, as the last drawing counted them. */
  readonly size: { readonly lines: number; readonly view: number; readonly sections: readonly number[] };
  readonly draft: Draft | null;
  /** What keys do is shown in place of everything else. */
  readonly isHelp: boolean;
  /** What is under way; keys that would begin something wait for it. */
  readonly busy: 'page' | 'item' | 'decide' | null;
  readonly message: { readonly tone: Tone; readonly text: string } | null;
  /** Null while it is open. */
  readonly left: 'quit' | 'interrupted' | null;
}

/** What the shell has to do. */
export type InboxEffect =
  | { readonly kind: 'page'; readonly afterId: string | null }
  | { readonly kind: 'open'; readonly itemId: string }
  | { readonly kind: 'resolve'; readonly itemId: string; readonly outcome: Outcome; readonly comment: string }
  | {
      readonly kind: 'answer';
      readonly itemId: string;
      readonly action: 'approve' | 'reject' | 'answer';
      readonly text: string;
    };

/** What reaches the inbox: keys, and what its effects came to. */
export type InboxInput =
  | { readonly kind: 'key'; readonly key: InboxKey }
  | { readonly kind: 'page'; readonly page: InboxPage; readonly afterId: string | null }
  | { readonly kind: 'item'; readonly item: InboxItem }
  | { readonly kind: 'recorded'; readonly itemId: string; readonly text: string }
  /** What became of a run that was decided here. */
  | { readonly kind: 'told'; readonly text: string }
  /** The use case refused, or failed; `hint` may be ''. */
  | { readonly kind: 'failed'; readonly message: string; readonly hint: string }
  | { readonly kind: 'drawn'; readonly size: InboxState['size'] };

export interface InboxStep {
  readonly state: InboxState;
  readonly effect: InboxEffect | null;
}

/** Pages are loaded this many rows before the end of what is there. */
const AHEAD = 10;

export const openInbox = (identity: string): InboxStep => ({
  state: {
    identity,
    rows: [],
    total: 0,
    hasMore: false,
    roles: [],
    now: null,
    cursor: 0,
    item: null,
    scroll: 0,
    size: { lines: 0, view: 1, sections: [] },
    draft: null,
    isHelp: false,
    busy: 'page',
    message: null,
    left: null,
  },
  effect: { kind: 'page', afterId: null },
});

/**
 * The whole behaviour of the inbox: a state and an input give the next state, and what to do about
 * it. Pure.
 */
export function reduceInbox(state: InboxState, input: InboxInput): InboxStep {
  switch (input.kind) {
    case 'key':
      return onKey(state, input.key);
    case 'page':
      return stay(withPage(state, input.page, input.afterId));
    case 'item':
      return stay({ ...state, item: input.item, scroll: 0, draft: null, busy: null, message: null });
    case 'recorded':
      return reload({ ...state, item: null, draft: null, message: { tone: 'good', text: input.text } });
    case 'told': {
      const told: InboxState = { ...state, message: { tone: 'good', text: input.text } };
      // A run that went on may ask again: the list is read anew where nothing else is under way.
      return state.item === null && state.busy === null ? reload(told) : stay(told);
    }
    case 'failed': {
      const text = input.hint === '' ? input.message : `${input.message} (${input.hint})`;
      return stay({ ...state, busy: null, message: { tone: 'bad', text } });
    }
    case 'drawn':
      return stay({ ...state, size: input.size, scroll: Math.min(state.scroll, lastScroll(input.size)) });
    default:
      return assertNever(input);
  }
}

const stay = (state: InboxState): InboxStep => ({ state, effect: null });
const lastScroll = ({ lines, view }: InboxState['size']): number => Math.max(0, lines - view);

/** After a decision the list is read anew: other people decide meanwhile. */
const reload = (state: InboxState): InboxStep => ({
  state: { ...state, busy: 'page' },
  effect: { kind: 'page', afterId: null },
});

function withPage(state: InboxState, page: InboxPage, afterId: string | null): InboxState {
  const rows = afterId === null ? page.rows : [...state.rows, ...page.rows];
  const { total, hasMore, roles, now } = page;
  return {
    ...state,
    rows,
    total,
    hasMore,
    roles,
    now,
    cursor: Math.min(state.cursor, Math.max(0, rows.length - 1)),
    busy: null,
  };
}

function onKey(state: InboxState, key: InboxKey): InboxStep {
  if (key.kind === 'interrupt') return stay({ ...state, left: 'interrupted' });
  if (state.draft !== null) return state.busy === null ? onDraftKey(state, state.draft, key) : stay(state);
  // Any key goes back to what was shown.
  if (state.isHelp) return stay({ ...state, isHelp: false });
  if (key.kind === 'text' && key.text === '?') return stay({ ...state, isHelp: true });
  return state.item === null ? onListKey(state, key) : onItemKey(state, state.item, key);
}

function onListKey(state: InboxState, key: InboxKey): InboxStep {
  switch (key.kind) {
    case 'up':
      return moveTo(state, state.cursor - 1);
    case 'down':
      return moveTo(state, state.cursor + 1);
    case 'page-up':
      return moveTo(state, state.cursor - state.size.view);
    case 'page-down':
      return moveTo(state, state.cursor + state.size.view);
    case 'home':
      return moveTo(state, 0);
    case 'end':
      return moveTo(state, state.rows.length - 1);
    case 'enter': {
      const row = state.rows[state.cursor];
      if (row === undefined || state.busy !== null) return stay(state);
      return { state: { ...state, busy: 'item', message: null }, effect: { kind: 'open', itemId: row.item.id } };
    }
    case 'escape':
      return stay({ ...state, left: 'quit' });
    case 'text':
      if (key.text === 'q') return stay({ ...state, left: 'quit' });
      if (key.text === 'j') return moveTo(state, state.cursor + 1);
      if (key.text === 'k') return moveTo(state, state.cursor - 1);
      return key.text === 'g' && state.busy === null ? reload({ ...state, message: null }) : stay(state);
    default:
      return stay(state);
  }
}

function moveTo(state: InboxState, cursor: number): InboxStep {
  const at = Math.max(0, Math.min(cursor, state.rows.length - 1));
  const moved: InboxState = { ...state, cursor: at, message: null };
  const last = state.rows.at(-1);
  if (!state.hasMore || state.busy !== null || last === undefined || at < state.rows.length - AHEAD) return stay(moved);
  return { state: { ...moved, busy: 'page' }, effect: { kind: 'page', afterId: last.item.id } };
}

function onItemKey(state: InboxState, item: InboxItem, key: InboxKey): InboxStep {
  const { scroll, size } = state;
  switch (key.kind) {
    case 'up':
      return scrollTo(state, scroll - 1);
    case 'down':
    case 'enter':
      return scrollTo(state, scroll + 1);
    case 'page-up':
      return scrollTo(state, scroll - size.view);
    case 'page-down':
      return scrollTo(state, scroll + size.view);
    case 'home':
      return scrollTo(state, 0);
    case 'end':
      return scrollTo(state, lastScroll(size));
    case 'tab':
      return scrollTo(state, size.sections.find((line) => line > scroll) ?? 0);
    case 'escape':
      return stay({ ...state, item: null, message: null });
    case 'text':
      return onItemText(state, item, key.text);
    default:
      return stay(state);
  }
}

const scrollTo = (state: InboxState, line: number): InboxStep =>
  stay({ ...state, scroll: Math.max(0, Math.min(line, lastScroll(state.size))) });

function onItemText(state: InboxState, item: InboxItem, text: string): InboxStep {
  const isTask = item.item.kind === 'role_task';
  if (text === 'q') return stay({ ...state, item: null, message: null });
  if (text === ' ') return scrollTo(state, state.scroll + state.size.view);
  const action =
    text === 'a'
      ? 'approve'
      : text === 'r'
        ? 'reject'
        : text === 'c' && isTask
          ? 'changes_requested'
          : text === 't' && !isTask
            ? 'answer'
            : null;
  if (action === null) return stay(state);
  const { you } = item.asked;
  if (you !== null && !you.canDecide) return stay({ ...state, message: { tone: 'bad', text: you.whyNot ?? '' } });
  return stay({ ...state, draft: { action, text: '' }, message: null });
}

function onDraftKey(state: InboxState, draft: Draft, key: InboxKey): InboxStep {
  switch (key.kind) {
    case 'text':
    case 'paste':
      return stay({ ...state, draft: { ...draft, text: draft.text + key.text }, message: null });
    case 'backspace':
      return stay({ ...state, draft: { ...draft, text: [...draft.text].slice(0, -1).join('') } });
    case 'clear':
      return stay({ ...state, draft: { ...draft, text: '' } });
    case 'escape':
      return stay({ ...state, draft: null, message: null });
    case 'enter':
      return send(state, draft);
    default:
      return stay(state);
  }
}

function send(state: InboxState, draft: Draft): InboxStep {
  const item = state.item?.item;
  if (item === undefined) return stay({ ...state, draft: null });
  const text = draft.text.trim();
  if (text === '' && draft.action === 'changes_requested')
    return missing(state, 'Say what should change; the agent works from it.');
  if (text === '' && draft.action === 'reject' && item.kind === 'role_task')
    return missing(state, 'Say why: the run ends, and the reason is kept with it.');
  if (text === '' && draft.action === 'answer') return missing(state, 'Write the answer, or the number of an option.');
  const busy: InboxState = { ...state, busy: 'decide', message: null };
  if (item.kind === 'role_task') {
    const outcome = draft.action === 'answer' ? 'approve' : draft.action;
    return { state: busy, effect: { kind: 'resolve', itemId: item.id, outcome, comment: text } };
  }
  const action = draft.action === 'changes_requested' ? 'reject' : draft.action;
  return { state: busy, effect: { kind: 'answer', itemId: item.id, action, text } };
}

const missing = (state: InboxState, text: string): InboxStep => stay({ ...state, message: { tone: 'warn', text } });
