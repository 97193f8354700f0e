import { assertNever } from '../../lib/assert-never.js';
import type { FleetOverview } from '../../view/fleet-overview.js';
import type { InboxKey } from '../inbox/inbox-keys.js';

/** Everything the screen shows; plain data. */
export interface TopState {
  /** Null: nothing was read yet. */
  readonly overview: FleetOverview | null;
  /** Why the newest look failed; the page before it stays, and says that it is old. */
  readonly problem: string | null;
  /** First line of the page that is shown. */
  readonly scroll: number;
  /** Lines of the page and of its view, as the last drawing counted them. */
  readonly size: { readonly lines: number; readonly view: number };
  /** Null while it is open. */
  readonly left: 'quit' | 'interrupted' | null;
}

/** What reaches the screen: keys, and what each look came to. */
export type TopInput =
  | { readonly kind: 'key'; readonly key: InboxKey }
  | { readonly kind: 'seen'; readonly overview: FleetOverview }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'drawn'; readonly size: TopState['size'] };

export const OPEN_TOP: TopState = { overview: null, problem: null, scroll: 0, size: { lines: 0, view: 1 }, left: null };

/** The whole behaviour of the screen. Pure. */
export function reduceTop(state: TopState, input: TopInput): TopState {
  switch (input.kind) {
    case 'key':
      return onKey(state, input.key);
    case 'seen':
      return { ...state, overview: input.overview, problem: null };
    case 'failed':
      return { ...state, problem: input.message };
    case 'drawn':
      return scrolled({ ...state, size: input.size }, state.scroll);
    default:
      return assertNever(input);
  }
}

const scrolled = (state: TopState, to: number): TopState => ({
  ...state,
  scroll: Math.max(0, Math.min(to, state.size.lines - state.size.view)),
});

function onKey(state: TopState, key: InboxKey): TopState {
  const { scroll, size } = state;
  switch (key.kind) {
    case 'interrupt':
      return { ...state, left: 'interrupted' };
    case 'escape':
      return { ...state, left: 'quit' };
    case 'up':
      return scrolled(state, scroll - 1);
    case 'down':
    case 'enter':
      return scrolled(state, scroll + 1);
    case 'page-up':
      return scrolled(state, scroll - size.view);
    case 'page-down':
      return scrolled(state, scroll + size.view);
    case 'home':
      return scrolled(state, 0);
    case 'end':
      return scrolled(state, size.lines);
    case 'text':
      return onText(state, key.text);
    default:
      return state;
  }
}

function onText(state: TopState, text: string): TopState {
  if (text === 'q') return { ...state, left: 'quit' };
  if (text === 'k') return scrolled(state, state.scroll - 1);
  if (text === 'j') return scrolled(state, state.scroll + 1);
  return text === ' ' ? scrolled(state, state.scroll + state.size.view) : state;
}
