import { ITEM_ACTIONS } from '../../domain/item-actions.js';
import type { GateElsewhere } from '../../domain/ports/remote-waits.js';
import { oneLine } from '../../view/lines/words.js';
import type { InboxKey } from './inbox-key.js';
import {
  type InboxState,
  type InboxStep,
  isPicking,
  MAX_ROWS,
  missing,
  PAGE_ROWS,
  reload,
  SORTS,
  stay,
  WIDE_PAGE_ROWS,
} from './inbox-model.js';
import { askOf, elsewhereAt, lastPlace, shownRows } from './shown-rows.js';

/** Pages are loaded this many rows before the end of what is there. */
const AHEAD = 10;

export function onListKey(state: InboxState, key: InboxKey): InboxStep {
  if (state.isFiltering) return onFilterKey(state, key);
  const there = elsewhereAt(state);
  if (there !== null && asksFor(state, key)) return missing(state, thereText(there));
  const shown = shownRows(state);
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
      return moveTo(state, lastPlace(state));
    case 'enter': {
      const row = shown[state.cursor];
      if (row === undefined || state.busy !== null) return stay(state);
      return { state: { ...state, busy: 'item', message: null }, effect: { kind: 'open', itemId: row.item.id } };
    }
    case 'escape':
      // What was chosen is given up first.
      if (state.marked.length > 0) return stay({ ...state, marked: [], message: null });
      if (state.filter !== '') return stay({ ...state, filter: '', cursor: 0, message: null });
      return stay({ ...state, left: 'quit' });
    case 'text':
      return onListText(state, key.text);
    default:
      return stay(state);
  }
}

/** Keys that open, mark or decide what the cursor stands on. */
const asksFor = ({ marked }: InboxState, key: InboxKey): boolean =>
  key.kind === 'enter' || (key.kind === 'text' && (marked.length === 0 ? /^[arcmM]$/ : /^[mM]$/).test(key.text));

const thereText = ({ agent, gateUrl }: GateElsewhere): string =>
  `Nobody decides it here. People of ${oneLine(agent, 60)} do, at ${oneLine(gateUrl, 400)}`;

function onListText(state: InboxState, text: string): InboxStep {
  switch (text) {
    case 'q':
      return stay({ ...state, left: 'quit' });
    case 'j':
      return moveTo(state, state.cursor + 1);
    case 'k':
      return moveTo(state, state.cursor - 1);
    case 'g':
      return state.busy === null ? reload({ ...state, message: null }) : stay(state);
    case '/':
      return allRows({ ...state, isFiltering: true, message: null });
    case 's': {
      const sort = SORTS[(SORTS.indexOf(state.sort) + 1) % SORTS.length] ?? 'oldest';
      return allRows({ ...state, sort, cursor: 0, message: null });
    }
    case 'm':
      return mark(state);
    case 'M':
      return markAlike(state);
    case 'a':
      return decideMarked(state, 'approve');
    case 'r':
      return decideMarked(state, 'reject');
    case 'c':
      return decideMarked(state, 'changes_requested');
    default:
      return stay(state);
  }
}

function onFilterKey(state: InboxState, key: InboxKey): InboxStep {
  const typed = (filter: string): InboxStep => stay({ ...state, filter, cursor: 0 });
  switch (key.kind) {
    case 'text':
    case 'paste':
      return typed(state.filter + key.text);
    case 'backspace':
      return typed([...state.filter].slice(0, -1).join(''));
    case 'clear':
      return typed('');
    case 'escape':
      return stay({ ...state, filter: '', isFiltering: false, cursor: 0 });
    case 'enter':
      return stay({ ...state, isFiltering: false });
    default:
      return onListKey({ ...state, isFiltering: false }, key);
  }
}

/** What is not read yet is read as well, as far as a list of this kind goes. */
export function allRows(state: InboxState): InboxStep {
  const last = state.rows.at(-1);
  const isEnough = !state.hasMore || last === undefined || state.rows.length >= MAX_ROWS;
  if (!isPicking(state) || state.busy !== null || isEnough) return stay(state);
  return {
    state: { ...state, busy: 'page' },
    effect: { kind: 'page', afterId: last.item.id, limit: WIDE_PAGE_ROWS },
  };
}

function moveTo(state: InboxState, cursor: number): InboxStep {
  const at = Math.max(0, Math.min(cursor, lastPlace(state)));
  const moved: InboxState = { ...state, cursor: at, message: null };
  const last = state.rows.at(-1);
  if (isPicking(state)) return allRows(moved);
  if (!state.hasMore || state.busy !== null || last === undefined || at < state.rows.length - AHEAD) return stay(moved);
  return {
    state: { ...moved, busy: 'page' },
    effect: { kind: 'page', afterId: last.item.id, limit: PAGE_ROWS },
  };
}

function mark(state: InboxState): InboxStep {
  const row = shownRows(state)[state.cursor];
  if (row === undefined) return stay(state);
  const { id } = row.item;
  if (state.marked.includes(id))
    return moveTo({ ...state, marked: state.marked.filter((other) => other !== id) }, state.cursor + 1);
  const first = state.rows.find(({ item }) => item.id === state.marked[0]);
  if (first !== undefined && askOf(first) !== askOf(row))
    return missing(state, 'It asks something else than what is marked: decide it by itself.');
  return moveTo({ ...state, marked: [...state.marked, id] }, state.cursor + 1);
}

/** Everything that is shown and asks the same as this row. */
function markAlike(state: InboxState): InboxStep {
  const shown = shownRows(state);
  const row = shown[state.cursor];
  if (row === undefined) return stay(state);
  const ask = askOf(row);
  const alike = shown.filter((other) => askOf(other) === ask && other.asked.you?.canDecide !== false);
  return stay({ ...state, marked: alike.map(({ item }) => item.id), message: null });
}

function decideMarked(state: InboxState, action: 'approve' | 'reject' | 'changes_requested'): InboxStep {
  if (state.busy !== null) return stay(state);
  if (state.marked.length === 0) return missing(state, 'Open it with enter, or mark several with m (M: all alike).');
  const first = state.rows.find(({ item }) => item.id === state.marked[0]);
  // One that has left the list is told of when it is sent.
  if (!ITEM_ACTIONS[first?.item.kind ?? 'permission'].includes(action))
    return missing(
      state,
      action === 'approve'
        ? 'These are questions: open one with enter, and answer it.'
        : 'Nobody works on these again: approve or reject them.',
    );
  return stay({ ...state, draft: { action, text: '' }, message: null });
}
