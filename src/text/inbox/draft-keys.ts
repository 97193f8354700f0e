import type { ReviewItem } from '../../domain/gates.js';
import type { InboxKey } from './inbox-key.js';
import { type Draft, type InboxState, type InboxStep, missing, stay } from './inbox-model.js';

export function onDraftKey(state: InboxState, draft: Draft, key: InboxKey): InboxStep {
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
  const item = state.item?.item ?? state.rows.find((row) => row.item.id === state.marked[0])?.item;
  if (item === undefined) return stay({ ...state, draft: null });
  const text = draft.text.trim();
  const isTask = item.kind === 'role_task';
  if (text === '' && draft.action === 'changes_requested')
    return missing(state, 'Say what should change; the agent works from it.');
  if (text === '' && draft.action === 'reject' && isTask)
    return missing(state, 'Say why: the run ends, and the reason is kept with it.');
  if (text === '' && draft.action === 'answer') return missing(state, 'Write the answer, or the number of an option.');
  // Several at once are asked about once more, with their number.
  if (state.item === null) return stay({ ...state, isConfirming: true, message: null });
  const busy: InboxState = { ...state, busy: 'decide', message: null };
  if (isTask) {
    const outcome = draft.action === 'answer' ? 'approve' : draft.action;
    return { state: busy, effect: { kind: 'resolve', itemId: item.id, outcome, comment: text } };
  }
  const action = draft.action === 'changes_requested' ? 'reject' : draft.action;
  return { state: busy, effect: { kind: 'answer', itemId: item.id, action, text } };
}

/** `y` decides what is marked; every other key takes the question back. */
export function onConfirmKey(state: InboxState, draft: Draft, key: InboxKey): InboxStep {
  const first: ReviewItem | undefined = state.rows.find((row) => row.item.id === state.marked[0])?.item;
  if (key.kind !== 'text' || key.text !== 'y' || first === undefined || draft.action === 'answer')
    return stay({ ...state, isConfirming: false });
  return {
    state: { ...state, isConfirming: false, busy: 'decide', message: null },
    effect: {
      kind: 'decide-many',
      itemIds: state.marked,
      areTasks: first.kind === 'role_task',
      outcome: draft.action,
      comment: draft.text.trim(),
    },
  };
}
