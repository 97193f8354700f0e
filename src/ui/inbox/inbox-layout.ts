import type { InboxItem, InboxRow } from '../../app/review/review-app.js';
import type { Asked } from '../../view/asked.js';
import { ageText, durationText, oneLine } from '../../view/lines/words.js';
import { HELP_LINES } from './help-lines.js';
import type { Draft, InboxState } from './inbox-state.js';
import { type InboxLine, type ItemBody, itemBody } from './item-lines.js';
import { cutLine, wrapLines } from './wrap-lines.js';

export interface InboxSize {
  readonly columns: number;
  readonly rows: number;
}

/**
 * A whole screen: `rows` lines, none wider than `columns`. `size` tells the state what was drawn,
 * for scrolling.
 */
export interface InboxFrame {
  readonly lines: readonly InboxLine[];
  readonly size: InboxState['size'];
}

/** Draws one state. `bodyOf` may keep what it wrapped: an artifact can be long. */
export function inboxFrame(
  state: InboxState,
  size: InboxSize,
  bodyOf: (item: InboxItem, columns: number) => ItemBody = itemBody,
): InboxFrame {
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

const dim = (text: string): InboxLine => ({ tone: 'dim', text });
const plain = (text: string): InboxLine => ({ tone: 'plain', text });
const strong = (text: string): InboxLine => ({ tone: 'strong', text });

/** A message or a comment takes at most this many lines of the screen. */
const FOOT_LINES = 3;

interface Parts {
  readonly title: string;
  /** Below the title: where one is in a long text. */
  readonly place: (view: number) => string;
  /** What is between head and foot, for a view of so many lines. */
  readonly body: (view: number) => readonly InboxLine[];
  readonly foot: readonly InboxLine[];
  /** What keys do, the ones that nobody can do without first. */
  readonly help: readonly string[];
}

/**
 * Head, body and foot at their places, whatever there is between them. Where rows are few, the foot
 * stays: it says what keys do.
 */
function screenOf(
  { columns, rows }: InboxSize,
  { title, place, body, foot, help }: Parts,
): { readonly lines: readonly InboxLine[]; readonly view: number } {
  const bottom = [...foot, dim(fitting(help, columns))];
  const view = Math.max(1, rows - 2 - bottom.length);
  const shown = body(view);
  const blank = Array.from({ length: view - shown.length }, () => plain(''));
  const lines = [strong(title), dim(place(view)), ...shown, ...blank, ...bottom].slice(-rows);
  return { lines: lines.map(({ tone, text }) => ({ tone, text: cutLine(text, columns) })), view };
}

/** As many of the words as fit, from the first on: none is cut in the middle. */
function fitting(words: readonly string[], columns: number): string {
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} · ${word}`;
    if (longer.length > columns && line !== '') break;
    line = longer;
  }
  return line;
}

function listFrame(state: InboxState, size: InboxSize): InboxFrame {
  const place = state.rows.length === 0 ? '' : `  ${state.cursor + 1} of ${state.total}`;
  const empty = state.busy === 'page' ? [dim('reading ...')] : [plain('nothing waits for you')];
  const rowsIn = (view: number): readonly InboxLine[] => {
    const top = Math.max(0, Math.min(state.cursor - Math.floor(view / 2), state.rows.length - view));
    const shown = state.rows.slice(top, top + view);
    return shown.length === 0
      ? empty
      : shown.map((row, index) => rowLine(row, { isAt: top + index === state.cursor, now: state.now }));
  };
  const { lines, view } = screenOf(size, {
    title: `inbox of ${oneLine(state.identity, 40)}${place}${state.now === null ? '' : rolesText(state.roles)}`,
    place: () => '',
    body: rowsIn,
    foot: messageLines(state, size.columns),
    help: ['enter open', 'q leave', '? keys', '↑↓ move', 'g read again'],
  });
  return { lines, size: { lines: state.rows.length, view, sections: [] } };
}

const rolesText = (roles: readonly string[]): string =>
  roles.length === 0 ? ', who holds no role' : `  (${roles.map((role) => oneLine(role, 40)).join(', ')})`;

interface RowLook {
  readonly isAt: boolean;
  readonly now: string | null;
}

/**
 * As which role, what is asked, by whom, how long it waits, what is special about it; the gate's id
 * is what a narrow screen can miss.
 */
function rowLine({ item, asked, gate }: InboxRow, { isAt, now }: RowLook): InboxLine {
  const nowMs = now === null ? Date.parse(item.createdAt) : Date.parse(now);
  const isTask = item.kind === 'role_task';
  const isBlocked = asked.you?.canDecide === false;
  const marks = [
    item.round > 0 ? `round ${item.round}` : '',
    gate?.escalated === true || item.escalated ? 'escalated' : '',
    gate?.judgeScore == null ? '' : `judge ${gate.judgeScore.toFixed(2)}`,
    gate?.expiresAt == null ? '' : expiryText(Date.parse(gate.expiresAt) - nowMs),
    isBlocked ? 'not yours to decide' : '',
  ].filter((mark) => mark !== '');
  const age = ageText(nowMs - Date.parse(item.createdAt));
  const about = isTask ? oneLine(item.gateId ?? '', 80) : oneLine(item.question ?? item.reason, 160);
  const words = [
    isTask ? oneLine(item.role ?? '', 30) : item.kind,
    requestText(asked),
    `from ${oneLine(asked.submittedBy.identity, 24)}`,
    age,
    marks.join(', '),
    about,
  ];
  const text = `${isAt ? '>' : ' '} ${words.filter((word) => word !== '').join('  ')}`;
  return { tone: isAt ? 'strong' : isBlocked ? 'dim' : 'plain', text };
}

/** `release: Release 1.7` */
const requestText = ({ topology, input }: Asked): string => `${oneLine(topology.name, 30)}: ${oneLine(input.text, 40)}`;

const expiryText = (leftMs: number): string => (leftMs <= 0 ? 'expired' : `expires in ${durationText(leftMs)}`);

function itemFrame(
  state: InboxState,
  item: InboxItem,
  size: InboxSize,
  bodyOf: (item: InboxItem, columns: number) => ItemBody,
): InboxFrame {
  const body = bodyOf(item, size.columns);
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
  return { lines, size: { lines: body.lines.length, view, sections: body.sections } };
}

function titleOf({ item, asked }: InboxItem): string {
  const round = item.round === 0 ? '' : `, round ${item.round}`;
  const what =
    item.kind === 'role_task'
      ? `sign for ${oneLine(item.role ?? '', 40)} (${oneLine(item.scope ?? '', 40)})`
      : item.kind;
  return `${what}  ${oneLine(item.gateId ?? item.id, 80)} of ${oneLine(asked.topology.name, 40)}${round}`;
}

/** What the item can be answered with; another key would be refused. */
const ACTIONS: Readonly<Record<InboxItem['item']['kind'], string>> = {
  role_task: 'a approve · r reject · c request changes',
  permission: 'a approve · r reject',
  input: 't answer · r reject',
  other: 'a approve · r reject · t answer',
};

const helpOf = ({ item }: InboxItem): readonly string[] => [
  ACTIONS[item.kind],
  'q back',
  '? keys',
  'space page',
  'tab section',
];

const ASKED: Readonly<Record<Draft['action'], string>> = {
  approve: 'approve, with a comment if you like',
  reject: 'reject: the run ends. Say why',
  changes_requested: 'request changes: say what should change',
  answer: 'answer',
};

/**
 * The cursor is a sign of its own: the real one is hidden. Of a long comment the end is shown,
 * where one types.
 */
const draftLines = ({ action, text }: Draft, { item }: InboxItem, columns: number): readonly InboxLine[] => [
  strong(item.kind !== 'role_task' && action === 'reject' ? 'reject. Say why' : ASKED[action]),
  ...wrapLines(`> ${oneLine(text, 10_000)}${text.endsWith(' ') ? ' ' : ''}_`, columns)
    .slice(-FOOT_LINES)
    .map(plain),
];

/** Refusals say who can instead: they are wrapped, not cut. */
function messageLines({ message, busy }: InboxState, columns: number): readonly InboxLine[] {
  if (busy !== null) return [dim(busy === 'decide' ? 'recording ...' : 'reading ...')];
  if (message === null) return [plain('')];
  return wrapLines(oneLine(message.text, 600), columns)
    .slice(0, FOOT_LINES)
    .map((text) => ({ tone: message.tone, text }));
}
