import type { InboxItem, InboxRow } from '../../app/review/review-app.js';
import { durationText, oneLine } from '../lines/words.js';
import type { Draft, InboxState } from './inbox-state.js';
import { type InboxLine, type ItemBody, itemBody } from './item-lines.js';

export interface InboxSize {
  readonly columns: number;
  readonly rows: number;
}

/** A whole screen: at most `rows` lines. `size` tells the state what was drawn, for scrolling. */
export interface InboxFrame {
  readonly lines: readonly InboxLine[];
  readonly size: InboxState['size'];
}

/** Draws one state. `bodyOf` may keep what it wrapped: an artifact can be long. */
export function inboxFrame(state: InboxState, size: InboxSize, bodyOf: (item: InboxItem, columns: number) => ItemBody = itemBody): InboxFrame {
  return state.item === null ? listFrame(state, size) : itemFrame(state, state.item, size, bodyOf);
}

const dim = (text: string): InboxLine => ({ tone: 'dim', text });
const plain = (text: string): InboxLine => ({ tone: 'plain', text });
const strong = (text: string): InboxLine => ({ tone: 'strong', text });

/** The head, a blank line, and the two lines at the foot. */
const FRAME_ROWS = 4;

function listFrame(state: InboxState, { columns, rows }: InboxSize): InboxFrame {
  const view = Math.max(1, rows - FRAME_ROWS);
  const top = Math.max(0, Math.min(state.cursor - Math.floor(view / 2), state.rows.length - view));
  const shown = state.rows.slice(top, top + view);
  const body = shown.map((row, index) => rowLine(row, { isAt: top + index === state.cursor, now: state.now, columns }));
  const empty = state.busy === 'page' ? [dim('reading ...')] : [plain('nothing waits for you')];
  const place = state.rows.length === 0 ? '' : `  ${state.cursor + 1} of ${state.total}`;
  return {
    lines: [
      strong(`inbox of ${oneLine(state.identity, 40)}${rolesText(state.roles)}${place}`),
      plain(''),
      ...(body.length === 0 ? empty : body),
      messageLine(state),
      dim('enter open · ↑↓ move · g read again · q leave'),
    ],
    size: { lines: state.rows.length, view, sections: [] },
  };
}

const rolesText = (roles: readonly string[]): string =>
  roles.length === 0 ? ', who holds no role' : ` (${roles.map((role) => oneLine(role, 40)).join(', ')})`;

interface RowLook {
  readonly isAt: boolean;
  readonly now: string | null;
  readonly columns: number;
}

/** What it is, of which run, how long it waits, what is special about it. */
function rowLine({ item, topology, gate, blocked }: InboxRow, { isAt, now }: RowLook): InboxLine {
  const nowMs = now === null ? Date.parse(item.createdAt) : Date.parse(now);
  const what =
    item.kind === 'role_task'
      ? `${oneLine(item.role ?? '', 30)}  ${oneLine(item.gateId ?? '', 60)}`
      : `${item.kind}  ${oneLine(item.question ?? item.reason, 60)}`;
  const marks = [
    item.round > 0 ? `round ${item.round + 1}` : '',
    gate?.escalated === true || item.escalated ? 'escalated' : '',
    gate?.judgeScore == null ? '' : `judge ${gate.judgeScore.toFixed(2)}`,
    gate?.expiresAt == null ? '' : expiryText(Date.parse(gate.expiresAt) - nowMs),
    blocked === null ? '' : 'not yours to decide',
  ].filter((mark) => mark !== '');
  const age = durationText(Math.max(0, nowMs - Date.parse(item.createdAt)));
  const text = `${isAt ? '>' : ' '} ${what}  ${oneLine(topology, 40)}  ${age}${marks.length === 0 ? '' : `  ${marks.join(', ')}`}`;
  return { tone: isAt ? 'strong' : blocked === null ? 'plain' : 'dim', text };
}

const expiryText = (leftMs: number): string => (leftMs <= 0 ? 'expired' : `expires in ${durationText(leftMs)}`);

function itemFrame(
  state: InboxState,
  item: InboxItem,
  { columns, rows }: InboxSize,
  bodyOf: (item: InboxItem, columns: number) => ItemBody,
): InboxFrame {
  const body = bodyOf(item, columns);
  const draft = state.draft === null ? [] : draftLines(state.draft, item);
  const view = Math.max(1, rows - FRAME_ROWS - draft.length);
  const scroll = Math.min(state.scroll, Math.max(0, body.lines.length - view));
  const shown = body.lines.slice(scroll, scroll + view);
  const more = scroll + view < body.lines.length ? `, ${body.lines.length - scroll - view} more lines below` : '';
  return {
    lines: [
      strong(`${titleOf(item)}${more}`),
      plain(''),
      ...shown,
      ...draft,
      messageLine(state),
      dim(state.draft === null ? helpOf(item) : 'enter send · ctrl-u clear · esc back'),
    ],
    size: { lines: body.lines.length, view, sections: body.sections },
  };
}

function titleOf({ item, topology }: InboxItem): string {
  const round = item.round === 0 ? '' : `, round ${item.round + 1}`;
  const what = item.kind === 'role_task' ? `sign for ${oneLine(item.role ?? '', 40)} (${oneLine(item.scope ?? '', 40)})` : item.kind;
  return `${what}  ${oneLine(item.gateId ?? item.id, 80)} of ${oneLine(topology, 40)}${round}`;
}

const helpOf = ({ item }: InboxItem): string =>
  item.kind === 'role_task'
    ? 'a approve · r reject · c request changes · space page · tab section · q back'
    : 'a approve · r reject · t answer · space page · tab section · q back';

const ASKED: Readonly<Record<Draft['action'], string>> = {
  approve: 'approve, with a comment if you like',
  reject: 'reject: the run ends. Say why',
  changes_requested: 'request changes: say what should change',
  answer: 'answer',
};

/** The cursor is a sign of its own: the real one is hidden. */
const draftLines = ({ action, text }: Draft, { item }: InboxItem): readonly InboxLine[] => [
  strong(item.kind !== 'role_task' && action === 'reject' ? 'reject. Say why' : ASKED[action]),
  plain(`> ${oneLine(text, 2_000)}_`),
];

function messageLine({ message, busy }: InboxState): InboxLine {
  if (busy !== null) return dim(busy === 'decide' ? 'recording ...' : 'reading ...');
  return message === null ? plain('') : { tone: message.tone, text: oneLine(message.text, 400) };
}
