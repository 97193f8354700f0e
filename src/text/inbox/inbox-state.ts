import type { InboxItem, InboxPage } from '../../app/review/review-app.js';
import { assertNever } from '../../lib/assert-never.js';
import { onConfirmKey, onDraftKey } from './draft-keys.js';
import type { InboxKey } from './inbox-key.js';
import {
  type InboxInput,
  type InboxState,
  type InboxStep,
  lastScroll,
  PAGE_ROWS,
  reload,
  stay,
  WIDE_PAGE_ROWS,
} from './inbox-model.js';
import { onItemKey } from './item-keys.js';
import { allRows, onListKey } from './list-keys.js';
import { lastPlace, placesOf } from './shown-rows.js';

export type { Draft, InboxEffect, InboxInput, InboxState, InboxStep } from './inbox-model.js';

export const openInbox = (identity: string): InboxStep => ({
  state: {
    identity,
    rows: [],
    total: 0,
    hasMore: false,
    roles: [],
    elsewhere: [],
    now: null,
    cursor: 0,
    filter: '',
    isFiltering: false,
    sort: 'oldest',
    marked: [],
    item: null,
    scroll: 0,
    folds: {},
    fileAt: -1,
    size: { lines: 0, view: 1, sections: [], files: [] },
    draft: null,
    isConfirming: false,
    isHelp: false,
    busy: 'page',
    message: null,
    left: null,
  },
  effect: { kind: 'page', afterId: null, limit: PAGE_ROWS },
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
      return allRows(withPage(state, input.page, input.afterId));
    case 'item':
      return stay({ ...state, ...opened(input.item), draft: null, busy: null, message: null });
    case 'tick':
      return onTick(state);
    case 'refreshed':
      return stay(refreshed(state, input.page, input.item));
    case 'recorded': {
      const { tone = 'good', text } = input;
      return reload({ ...state, item: null, draft: null, marked: [], message: { tone, text } });
    }
    case 'noticed': {
      const noticed: InboxState = { ...state, message: { tone: 'good', text: input.text } };
      // A run that went on may ask again: the list is read anew where nothing else is under way.
      return state.item === null && state.draft === null && state.busy === null ? reload(noticed) : stay(noticed);
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

const opened = (item: InboxItem): Pick<InboxState, 'item' | 'scroll' | 'folds' | 'fileAt'> => ({
  item,
  scroll: 0,
  folds: {},
  fileAt: -1,
});

function withPage(state: InboxState, page: InboxPage, afterId: string | null): InboxState {
  const rows = afterId === null ? page.rows : [...state.rows, ...page.rows];
  const { total, hasMore, roles, now } = page;
  const elsewhere = afterId === null ? page.elsewhere : state.elsewhere;
  const next = { ...state, rows, total, hasMore, roles, elsewhere, now, busy: null };
  return { ...next, cursor: Math.min(state.cursor, lastPlace(next)) };
}

/** Nobody is disturbed: not while something is typed or under way. */
function onTick(state: InboxState): InboxStep {
  if (state.busy !== null || state.draft !== null || state.isFiltering || state.isHelp) return stay(state);
  const limit = Math.min(WIDE_PAGE_ROWS, Math.max(PAGE_ROWS, state.rows.length));
  return { state, effect: { kind: 'refresh', itemId: state.item?.item.id ?? null, limit } };
}

/** What other people did meanwhile; the cursor stays at its item, and the text where it was. */
function refreshed(state: InboxState, page: InboxPage | null, item: InboxItem | null): InboxState {
  if (state.busy !== null || state.draft !== null) return state;
  const seen = item === null || item.item.id !== state.item?.item.id ? state : withNews(state, item);
  if (page === null) return seen;
  // Rows behind those that were read anew stay as they are.
  const tail = page.hasMore ? seen.rows.slice(page.rows.length) : [];
  const known = new Set(page.rows.map((row) => row.item.id));
  const rows = [...page.rows, ...tail.filter((row) => !known.has(row.item.id))];
  const at = placesOf(seen)[seen.cursor] ?? '';
  const { total, roles, elsewhere, now } = page;
  const hasMore = page.hasMore && rows.length < total;
  const marked = seen.marked.filter((id) => rows.some((row) => row.item.id === id));
  const next = { ...seen, rows, total, hasMore, roles, elsewhere, now, marked };
  const cursor = placesOf(next).indexOf(at);
  return { ...next, cursor: cursor < 0 ? Math.min(seen.cursor, lastPlace(next)) : cursor };
}

/** The same item is not drawn anew: its text may be long. */
function withNews(state: InboxState, item: InboxItem): InboxState {
  const newsOf = ({ item: row, details, job }: InboxItem): string =>
    JSON.stringify([row.status, row.round, row.resolvedBy, job.status, details?.resolutions, details?.status]);
  if (state.item === null || newsOf(item) === newsOf(state.item)) return state;
  const text = item.item.status === 'pending' ? 'others have decided meanwhile' : `it is ${item.item.status} meanwhile`;
  return { ...state, item, message: { tone: 'warn', text } };
}

function onKey(state: InboxState, key: InboxKey): InboxStep {
  if (key.kind === 'interrupt') return stay({ ...state, left: 'interrupted' });
  if (state.draft !== null) {
    if (state.busy !== null) return stay(state);
    return state.isConfirming ? onConfirmKey(state, state.draft, key) : onDraftKey(state, state.draft, key);
  }
  // Any key goes back to what was shown.
  if (state.isHelp) return stay({ ...state, isHelp: false });
  if (!state.isFiltering && key.kind === 'text' && key.text === '?') return stay({ ...state, isHelp: true });
  return state.item === null ? onListKey(state, key) : onItemKey(state, state.item, key);
}
