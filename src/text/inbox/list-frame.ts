import type { InboxRow } from '../../app/review/review-app.js';
import type { GateElsewhere } from '../../domain/ports/remote-waits.js';
import { ageText, countText, durationText, oneLine } from '../../view/lines/words.js';
import type { InboxLine } from './diff-section.js';
import {
  dim,
  draftLines,
  FOOT_LINES,
  type InboxFrame,
  type InboxSize,
  messageLines,
  plain,
  screenOf,
  strong,
} from './frame-parts.js';
import { type InboxState, MAX_ROWS } from './inbox-model.js';
import { rowWords } from './row-words.js';
import { elsewhereAt, shownElsewhere, shownRows } from './shown-rows.js';
import { wrapLines } from './wrap-lines.js';

/** The list: what waits, a line each. */
export function listFrame(state: InboxState, size: InboxSize): InboxFrame {
  const shown = shownRows(state);
  const total = state.filter === '' ? String(state.total) : `${shown.length} that fit, of ${state.total}`;
  const elsewhere = shownElsewhere(state);
  const place = state.cursor >= shown.length ? '' : `  ${state.cursor + 1} of ${total}`;
  const empty =
    state.busy === 'page'
      ? [dim('reading ...')]
      : [plain(state.filter === '' ? 'nothing waits for you' : 'nothing fits the filter; esc takes it back')];
  const words = rowWords(shown, size.columns);
  const rowsIn = (view: number): readonly InboxLine[] => {
    // An empty list is a line that says so.
    const own = Math.max(1, shown.length);
    const at = state.cursor + own - shown.length;
    const top = Math.max(0, Math.min(at - Math.floor(view / 2), own + elsewhere.length - view));
    const seen = shown.slice(top, top + view).map((row, index) =>
      rowLine(row, {
        isAt: top + index === state.cursor,
        isMarked: state.marked.includes(row.item.id),
        words: words.get(row.item.id) ?? '',
        now: state.now,
      }),
    );
    const first = Math.max(0, top - own);
    const there = elsewhere
      .slice(first, Math.max(0, top + view - own))
      .map((gate, index) => elsewhereLine(gate, shown.length + first + index === state.cursor));
    return [...(shown.length === 0 && top === 0 ? empty : seen), ...there];
  };
  const { lines, view } = screenOf(size, {
    title: `inbox of ${oneLine(state.identity, 40)}${place}${state.now === null ? '' : rolesText(state.roles)}`,
    place: () => pickText(state),
    body: rowsIn,
    foot: [...manyLinesOf(state, size.columns), ...messageLines(state, size.columns)],
    help: listHelp(state),
  });
  return { lines, size: { lines: shown.length, view, sections: [], files: [] } };
}

/** What is chosen of the list: filter, order, marks; '' = nothing. */
function pickText({ filter, isFiltering, sort, marked, rows, hasMore, total, elsewhere }: InboxState): string {
  const isPart = hasMore && rows.length >= MAX_ROWS;
  return [
    ...(filter !== '' || isFiltering ? [`/${oneLine(filter, 60)}${isFiltering ? '_' : ''}`] : []),
    ...(sort === 'oldest' ? [] : [sort === 'newest' ? 'newest first' : `by ${sort}`]),
    ...(marked.length === 0 ? [] : [`${marked.length} marked`]),
    ...(isPart ? [`only the oldest ${rows.length} of ${total} are looked at`] : []),
    ...(elsewhere.length === 0 ? [] : [`${countText(elsewhere.length, 'decision')} elsewhere, below the last row`]),
  ].join(' · ');
}

function listHelp(state: InboxState): readonly string[] {
  if (state.isConfirming) return ['y decide them', 'any other key goes back'];
  if (state.draft !== null) return ['enter send', 'esc back', 'ctrl-u clear'];
  if (state.isFiltering) return ['enter keep', 'esc take it back'];
  if (state.marked.length > 0) return ['a approve · r reject · c request changes', 'esc unmark', '? keys'];
  if (elsewhereAt(state) !== null) return ['enter where it is decided', 'q leave', '? keys', '/ filter', '↑↓ move'];
  // Keys that need a row stand only beside one.
  if (shownRows(state).length === 0 && shownElsewhere(state).length === 0)
    return [state.filter === '' ? 'g read again' : 'esc take it back', 'q leave', '? keys'];
  return ['enter open', 'q leave', '? keys', '/ filter', 's sort', 'm mark', '↑↓ move'];
}

/** The decision about what is marked, as it is typed and asked about. */
function manyLinesOf(state: InboxState, columns: number): readonly InboxLine[] {
  const { draft, marked, isConfirming } = state;
  const first = state.rows.find(({ item }) => item.id === marked[0]);
  if (draft === null || first === undefined) return [];
  if (!isConfirming) return draftLines(draft, first, columns);
  const verb = draft.action === 'changes_requested' ? 'request changes of' : draft.action;
  const role = first.item.role === null ? '' : ` for ${oneLine(first.item.role, 40)}`;
  const said = draft.text.trim() === '' ? '' : `: ${oneLine(draft.text.trim(), 200)}`;
  const what = `${countText(marked.length, 'item')} of ${oneLine(first.asked.topology.name, 40)}`;
  return wrapLines(`${verb} ${what}${role} as ${oneLine(state.identity, 40)}${said}? y decides`, columns)
    .slice(0, FOOT_LINES)
    .map(strong);
}

const rolesText = (roles: readonly string[]): string =>
  roles.length === 0 ? ', who holds no role' : `  (${roles.map((role) => oneLine(role, 40)).join(', ')})`;

interface RowLook {
  readonly isAt: boolean;
  readonly isMarked: boolean;
  /** What tells it apart. */
  readonly words: string;
  readonly now: string | null;
}

/**
 * As which role, what is asked, by whom, how long it waits, what is special about it; the gate's id
 * is what a narrow screen can miss.
 */
function rowLine({ item, asked, gate }: InboxRow, { isAt, isMarked, words: request, now }: RowLook): InboxLine {
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
    request,
    `from ${oneLine(asked.submittedBy.identity, 24)}`,
    age,
    marks.join(', '),
    about,
  ];
  const text = `${isAt ? '>' : ' '}${isMarked ? '*' : ' '}${words.filter((word) => word !== '').join('  ')}`;
  return { tone: isAt ? 'strong' : isBlocked ? 'dim' : 'plain', text };
}

/** Nobody decides it here: the address comes first, because a narrow screen cuts the end. */
const elsewhereLine = ({ jobId, topology, agent, gateUrl }: GateElsewhere, isAt: boolean): InboxLine => ({
  tone: isAt ? 'strong' : 'dim',
  text: [
    isAt ? '> elsewhere' : '  elsewhere',
    oneLine(topology, 30),
    `decided at ${oneLine(gateUrl, 400)}`,
    `by people of ${oneLine(agent, 40)}`,
    `run ${oneLine(jobId, 64)}`,
  ].join('  '),
});

const expiryText = (leftMs: number): string => (leftMs <= 0 ? 'expired' : `expires in ${durationText(leftMs)}`);
