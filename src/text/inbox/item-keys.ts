import type { InboxItem } from '../../app/review/review-app.js';
import type { ItemKind } from '../../domain/gates.js';
import { ITEM_ACTIONS, type ItemAction } from '../../domain/item-actions.js';
import type { InboxKey } from './inbox-key.js';
import { type InboxState, type InboxStep, lastScroll, stay } from './inbox-model.js';

export function onItemKey(state: InboxState, item: InboxItem, key: InboxKey): InboxStep {
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

const scrollTo = (state: InboxState, line: number): InboxStep => {
  const at = state.size.files.findIndex((file) => file.line === line);
  return stay({
    ...state,
    scroll: Math.max(0, Math.min(line, lastScroll(state.size))),
    fileAt: at < 0 ? state.fileAt : at,
  });
};

const KEYS: Readonly<Record<ItemAction, string>> = {
  approve: 'a approve',
  reject: 'r reject',
  changes_requested: 'c request changes',
  answer: 't answer',
};

/** The keys that decide an item, in words. */
export const offeredAt = (kind: ItemKind): string => ITEM_ACTIONS[kind].map((action) => KEYS[action]).join(' · ');

function onItemText(state: InboxState, item: InboxItem, text: string): InboxStep {
  switch (text) {
    case 'q':
      return stay({ ...state, item: null, message: null });
    case ' ':
      return scrollTo(state, state.scroll + state.size.view);
    case 'n':
      return toFile(state, state.fileAt + 1);
    case 'p':
      return toFile(state, state.fileAt - 1);
    case 'f':
      return fold(state);
    case 'a':
      return draft(state, item, 'approve');
    case 'r':
      return draft(state, item, 'reject');
    case 'c':
      return draft(state, item, 'changes_requested');
    case 't':
      return draft(state, item, 'answer');
    default:
      return stay(state);
  }
}

function toFile(state: InboxState, index: number): InboxStep {
  const { files } = state.size;
  const at = Math.max(0, Math.min(index, files.length - 1));
  const file = files[at];
  return file === undefined ? stay(state) : scrollTo({ ...state, fileAt: at }, file.line);
}

/** The file that was jumped to; before any jump the first one. */
function fold(state: InboxState): InboxStep {
  const { files } = state.size;
  const at = Math.max(0, state.fileAt);
  const file = files[at];
  if (file === undefined) return stay(state);
  const folds = { ...state.folds, [file.path]: !file.isFolded };
  return scrollTo({ ...state, folds, fileAt: at }, file.line);
}

function draft(state: InboxState, item: InboxItem, action: ItemAction): InboxStep {
  const { you } = item.asked;
  const { kind } = item.item;
  if (!ITEM_ACTIONS[kind].includes(action))
    return stay({ ...state, message: { tone: 'bad', text: `this item takes ${offeredAt(kind)}` } });
  if (you !== null && !you.canDecide) return stay({ ...state, message: { tone: 'bad', text: you.whyNot ?? '' } });
  return stay({ ...state, draft: { action, text: '' }, message: null });
}
