import { assertNever } from '../../lib/assert-never.js';
import type { FleetOverview } from '../../view/fleet-overview.js';
import type { InboxKey } from '../inbox/inbox-key.js';
import type { TopTarget } from '../top-text.js';

/** What keys of `kit top` do, for `?`. */
const TOP_HELP: readonly string[] = [
  'the page, which is read again every second',
  '  up, down, j, k       choose a run or a gate; where there is none, a line',
  '  page up, page down   a page on or back; home, end',
  '  enter                why the chosen run or gate is in its state, and the lines that go on',
  '  s                    stop the chosen run, or that of the gate, after a question',
  '  /                    show only rows that have these words; enter keeps them, esc drops them',
  '  q, esc               leave',
  'what enter has opened',
  '  up, down, j, k       a line; page up, page down, home, end',
  '  q, esc               back to the page',
];

/** A line of the page that can be chosen. */
export interface TopRow {
  readonly target: TopTarget;
  /** Its place on the page, from 0. */
  readonly line: number;
}

/** What keys are for. */
export type TopMode =
  | { readonly kind: 'page' }
  /** Every text goes into the filter. */
  | { readonly kind: 'filtering' }
  /** Whether this run is to be stopped. */
  | { readonly kind: 'asking'; readonly run: string }
  /** What `kit why` says of a run or a gate, or what keys do, over the page. */
  | { readonly kind: 'opened'; readonly title: string; readonly lines: readonly string[] };

/** What the screen is to do, once. */
export type TopWish =
  | { readonly kind: 'open'; readonly what: string }
  | { readonly kind: 'stop'; readonly run: string };

/** Everything the screen shows; plain data. */
export interface TopState {
  /** Null: nothing was read yet. */
  readonly overview: FleetOverview | null;
  /** Why the newest look failed; the page before it stays, and says that it is old. */
  readonly problem: string | null;
  readonly mode: TopMode;
  /** Words that rows have to hold; '' = all rows. */
  readonly filter: string;
  /** Key of the chosen row. Null: none. */
  readonly chosen: string | null;
  /** What became of the last wish, until the next key. */
  readonly note: string | null;
  readonly wish: TopWish | null;
  /** First line of the page that is shown. */
  readonly scroll: number;
  /** Lines of the page and of its view, as the last drawing counted them. */
  readonly size: { readonly lines: number; readonly view: number };
  /** Rows of the page, as the last drawing placed them. */
  readonly rows: readonly TopRow[];
  /** Null while it is open. */
  readonly left: 'quit' | 'interrupted' | null;
}

/** What reaches the screen: keys, and what each look and each wish came to. */
export type TopInput =
  | { readonly kind: 'key'; readonly key: InboxKey }
  | { readonly kind: 'seen'; readonly overview: FleetOverview }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'drawn'; readonly size: TopState['size']; readonly rows: readonly TopRow[] }
  /** The screen has begun what was wished. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'opened'; readonly title: string; readonly text: string }
  | { readonly kind: 'noted'; readonly text: string };

const PAGE: TopMode = { kind: 'page' };

export const OPEN_TOP: TopState = {
  overview: null,
  problem: null,
  mode: PAGE,
  filter: '',
  chosen: null,
  note: null,
  wish: null,
  scroll: 0,
  size: { lines: 0, view: 1 },
  rows: [],
  left: null,
};

/** The whole behaviour of the screen. Pure. */
export function reduceTop(state: TopState, input: TopInput): TopState {
  switch (input.kind) {
    case 'key':
      return onKey({ ...state, note: null }, input.key);
    case 'seen':
      return { ...state, overview: input.overview, problem: null };
    case 'failed':
      return { ...state, problem: input.message };
    case 'drawn':
      return scrolled({ ...state, size: input.size, rows: input.rows }, state.scroll);
    case 'taken':
      return { ...state, wish: null };
    case 'opened':
      return opened(state, input.title, input.text.split('\n'));
    case 'noted':
      return { ...state, note: input.text };
    default:
      return assertNever(input);
  }
}

const scrolled = (state: TopState, to: number): TopState => ({
  ...state,
  scroll: Math.max(0, Math.min(to, state.size.lines - state.size.view)),
});

const opened = (state: TopState, title: string, lines: readonly string[]): TopState => ({
  ...state,
  scroll: 0,
  mode: { kind: 'opened', title, lines },
});

function onKey(state: TopState, key: InboxKey): TopState {
  if (key.kind === 'interrupt') return { ...state, left: 'interrupted' };
  const { mode } = state;
  switch (mode.kind) {
    case 'page':
      return onPage(state, key);
    case 'filtering':
      return onFilter(state, key);
    case 'asking':
      // Only a plain yes stops; whatever else is typed leaves the run alone.
      return key.kind === 'text' && key.text === 'y'
        ? { ...state, mode: PAGE, wish: { kind: 'stop', run: mode.run } }
        : { ...state, mode: PAGE, note: `run ${mode.run} goes on` };
    case 'opened':
      return key.kind === 'escape' || (key.kind === 'text' && key.text === 'q')
        ? { ...state, mode: PAGE, scroll: 0 }
        : moved(state, key, (by) => scrolled(state, state.scroll + by));
    default:
      return assertNever(mode);
  }
}

/** Arrows, and the letters that pagers have for them. `step` goes one line or row. */
function moved(state: TopState, key: InboxKey, step: (by: 1 | -1) => TopState): TopState {
  const { scroll, size } = state;
  switch (key.kind) {
    case 'up':
      return step(-1);
    case 'down':
      return step(1);
    case 'page-up':
      return scrolled(state, scroll - size.view);
    case 'page-down':
      return scrolled(state, scroll + size.view);
    case 'home':
      return scrolled(state, 0);
    case 'end':
      return scrolled(state, size.lines);
    case 'text':
      if (key.text === 'k') return step(-1);
      if (key.text === 'j') return step(1);
      return key.text === ' ' ? scrolled(state, scroll + size.view) : state;
    default:
      return state;
  }
}

function onPage(state: TopState, key: InboxKey): TopState {
  const chosen = state.rows.find(({ target }) => target.key === state.chosen)?.target ?? null;
  if (key.kind === 'escape')
    return state.filter === '' ? { ...state, left: 'quit' } : { ...state, filter: '', scroll: 0 };
  if (key.kind === 'enter')
    return chosen === null ? choose(state, 1) : { ...state, wish: { kind: 'open', what: chosen.what } };
  if (key.kind === 'text' && key.text === 'q') return { ...state, left: 'quit' };
  if (key.kind === 'text' && key.text === '/') return { ...state, mode: { kind: 'filtering' } };
  if (key.kind === 'text' && key.text === '?') return opened(state, 'what keys do', TOP_HELP);
  if (key.kind === 'text' && key.text === 's')
    return chosen === null
      ? { ...state, note: 'choose a run with ↑↓ first' }
      : { ...state, mode: { kind: 'asking', run: chosen.run } };
  return moved(state, key, (by) => choose(state, by));
}

/** The next row, in view; where there is none to choose, the page moves by a line. */
function choose(state: TopState, by: 1 | -1): TopState {
  const { rows, scroll, size } = state;
  if (rows.length === 0) return scrolled(state, scroll + by);
  const at = rows.findIndex(({ target }) => target.key === state.chosen);
  // Nothing is above the first row but what is not a row: it comes into view again.
  if (at === 0 && by === -1) return scrolled(state, scroll - 1);
  const row = rows[at === -1 ? 0 : Math.min(rows.length - 1, at + by)];
  if (row === undefined) return state;
  const to = row.line < scroll ? row.line : Math.max(scroll, row.line - size.view + 1);
  return scrolled({ ...state, chosen: row.target.key }, to);
}

function onFilter(state: TopState, key: InboxKey): TopState {
  const { filter } = state;
  const written = (text: string): TopState => ({ ...state, filter: text.slice(0, MAX_FILTER), scroll: 0 });
  switch (key.kind) {
    case 'enter':
      return { ...state, mode: PAGE };
    case 'escape':
      return { ...state, mode: PAGE, filter: '', scroll: 0 };
    case 'backspace':
      return written([...filter].slice(0, -1).join(''));
    case 'clear':
      return written('');
    case 'text':
    case 'paste':
      return written(filter + key.text);
    default:
      return state;
  }
}

/** More than any id or name that a row shows. */
const MAX_FILTER = 200;
