import type { InboxItem } from '../../app/review/review-app.js';
import { oneLine } from '../../view/lines/words.js';
import { draftLines, type InboxFrame, type InboxSize, messageLines, plain, screenOf } from './frame-parts.js';

import type { InboxState } from './inbox-model.js';
import { offeredAt } from './item-keys.js';
import { type ItemBody, itemBody } from './item-lines.js';
import { listFrame } from './list-frame.js';

/** What keys do, for `?`: those of an open item, then those of the list. At most 60 columns. */
const HELP_LINES: readonly string[] = [
  'an open item',
  '  a, r, c, t      approve, reject, request changes, answer',
  '  space, page     page down: a page on; page up: one back',
  '  up, down        a line; home, end: the beginning, the end',
  '  tab             the next section or file',
  '  n, p, f         next file, the one before, fold or open it',
  '  q, esc          back to the list',
  'the list',
  '  enter           open the item',
  '  up, down, j, k  move; page up, page down, home, end',
  '  /               show what has these words; esc drops them',
  '  s               sort: oldest, newest, topology, submitter',
  '  m, M            mark one, or all alike; then a, r or c',
  '  g               read the list again; else every 2 s',
  '  elsewhere       people of another system decide there',
  '  q, esc          leave',
  'a comment',
  '  enter send   ctrl-u clear   esc take it back',
];

export type { InboxFrame } from './frame-parts.js';

/** What wraps an item; it may keep what it wrapped: an artifact can be long. */
type BodyOf = (item: InboxItem, columns: number, look: Pick<InboxState, 'folds' | 'fileAt'>) => ItemBody;

/** Draws one state. */
export function inboxFrame(state: InboxState, size: InboxSize, bodyOf: BodyOf = itemBody): InboxFrame {
  if (state.isHelp) return helpFrame(state, size);
  return state.item === null ? listFrame(state, size) : itemFrame(state, state.item, size, bodyOf);
}

/** What every key does; any key goes back. */
function helpFrame(state: InboxState, size: InboxSize): InboxFrame {
  const { lines } = screenOf(size, {
    title: 'what keys do',
    place: () => '',
    body: (view) => HELP_LINES.slice(0, view).map(plain),
    foot: [],
    help: ['any key goes back'],
  });
  return { lines, size: state.size };
}

function itemFrame(state: InboxState, item: InboxItem, size: InboxSize, bodyOf: BodyOf): InboxFrame {
  const body = bodyOf(item, size.columns, state);
  const draft = state.draft === null ? [] : draftLines(state.draft, item, size.columns);
  const from = (view: number): number => Math.min(state.scroll, Math.max(0, body.lines.length - view));
  const foot = [...draft, ...messageLines(state, size.columns)];
  const help = state.draft === null ? helpOf(item) : ['enter send', 'esc back', 'ctrl-u clear'];
  const { lines, view } = screenOf(size, {
    title: titleOf(item),
    place: (view) =>
      body.lines.length <= view
        ? ''
        : `lines ${from(view) + 1} to ${Math.min(from(view) + view, body.lines.length)} of ${body.lines.length}`,
    body: (view) => body.lines.slice(from(view), from(view) + view),
    foot,
    help,
  });
  return { lines, size: { lines: body.lines.length, view, sections: body.sections, files: body.files } };
}

function titleOf({ item, asked }: InboxItem): string {
  const round = item.round === 0 ? '' : `, round ${item.round}`;
  const what =
    item.kind === 'role_task'
      ? `sign for ${oneLine(item.role ?? '', 40)} (${oneLine(item.scope ?? '', 40)})`
      : item.kind;
  return `${what}  ${oneLine(item.gateId ?? item.id, 80)} of ${oneLine(asked.topology.name, 40)}${round}`;
}

const helpOf = ({ item }: InboxItem): readonly string[] => [
  offeredAt(item.kind),
  'q back',
  '? keys',
  'space page',
  'tab section',
];
