import type { InboxRow } from '../../app/review/review-app.js';
import { oneLine } from '../../view/lines/words.js';
import type { InboxLine } from './diff-section.js';
import type { Draft, InboxState } from './inbox-model.js';
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

export const dim = (text: string): InboxLine => ({ tone: 'dim', text });
export const plain = (text: string): InboxLine => ({ tone: 'plain', text });
export const strong = (text: string): InboxLine => ({ tone: 'strong', text });

/** A message or a comment takes at most this many lines of the screen. */
export const FOOT_LINES = 3;

export interface Parts {
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
export function screenOf(
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
export function fitting(words: readonly string[], columns: number): string {
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} · ${word}`;
    if (longer.length > columns && line !== '') break;
    line = longer;
  }
  return line;
}

export const ASKED: Readonly<Record<Draft['action'], string>> = {
  approve: 'approve, with a comment if you like',
  reject: 'reject: the run ends. Say why',
  changes_requested: 'request changes: say what should change',
  answer: 'answer',
};

/**
 * The cursor is a sign of its own: the real one is hidden. Of a long comment the end is shown,
 * where one types.
 */
export const draftLines = (
  { action, text }: Draft,
  { item }: Pick<InboxRow, 'item'>,
  columns: number,
): readonly InboxLine[] => [
  strong(item.kind !== 'role_task' && action === 'reject' ? 'reject. Say why' : ASKED[action]),
  ...wrapLines(`> ${oneLine(text, 10_000)}${text.endsWith(' ') ? ' ' : ''}_`, columns)
    .slice(-FOOT_LINES)
    .map(plain),
];

/** Refusals say who can instead: they are wrapped, not cut. */
export function messageLines({ message, busy }: InboxState, columns: number): readonly InboxLine[] {
  if (busy !== null) return [dim(busy === 'decide' ? 'recording ...' : 'reading ...')];
  if (message === null) return [plain('')];
  return wrapLines(oneLine(message.text, 600), columns)
    .slice(0, FOOT_LINES)
    .map((text) => ({ tone: message.tone, text }));
}
