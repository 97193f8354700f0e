import { assertNever } from '../../lib/assert-never.js';
import { busyAgent, type FleetOverview, type Some } from '../../view/fleet-overview.js';
import { oneLine } from '../../view/lines/words.js';
import { filterWords } from '../lines/filter-words.js';
import { createPaint, type Paint } from '../lines/paint.js';
import { cut } from '../lines/table.js';
import { topLines } from '../top-text.js';
import type { TopRow, TopState } from './top-state.js';

export interface TopSize {
  readonly columns: number;
  readonly rows: number;
}

/** A whole screen: `rows` lines. `size` and `targets` tell the state what was drawn, and where. */
export interface TopFrame {
  readonly lines: readonly string[];
  readonly size: TopState['size'];
  readonly targets: readonly TopRow[];
}

interface Page {
  readonly lines: readonly string[];
  readonly targets: readonly TopRow[];
}

/** Draws one state: where this is, the page from where it is scrolled to, and what keys do. */
export function topFrame(
  state: TopState,
  of: { readonly workspace: string; readonly color: boolean; readonly size: TopSize },
): TopFrame {
  const { columns, rows } = of.size;
  const paint = createPaint(of.color);
  const page = pageOf(state, { color: of.color, width: columns });
  const view = Math.max(1, rows - 2);
  const from = Math.max(0, Math.min(state.scroll, page.lines.length - view));
  const shown = page.lines.slice(from, from + view);
  const blank = Array.from({ length: view - shown.length }, () => '');
  const head = paint(state.problem === null ? 'strong' : 'warn', cut(headText(state, of.workspace), columns));
  const place =
    page.lines.length <= view ? '' : `lines ${from + 1} to ${from + shown.length} of ${page.lines.length} · `;
  return {
    lines: [
      head,
      ...shown,
      ...blank,
      helpLine(state, { paint, place, columns, hasRows: page.targets.length > 0 }),
    ].slice(0, rows),
    size: { lines: page.lines.length, view },
    targets: page.targets,
  };
}

function pageOf(state: TopState, look: { readonly color: boolean; readonly width: number }): Page {
  if (state.mode.kind === 'opened') return { lines: state.mode.lines, targets: state.rows };
  if (state.overview === null) return { lines: [], targets: [] };
  const lines = topLines(filtered(state.overview, state.filter), look);
  return {
    lines: lines.map(({ text, target }) => (target !== null && target.key === state.chosen ? `▸ ${text}` : text)),
    targets: lines.flatMap(({ target }, line) => (target === null ? [] : [{ target, line }])),
  };
}

interface Help {
  readonly paint: Paint;
  /** Which lines are shown; '' = all of them. */
  readonly place: string;
  readonly columns: number;
  readonly hasRows: boolean;
}

function helpLine({ mode, note, filter }: TopState, { paint, place, columns, hasRows }: Help): string {
  if (note !== null) return paint('warn', cut(oneLine(note, 300), columns));
  switch (mode.kind) {
    case 'filtering':
      return cut(`/${filter}▏ Enter keeps it · Esc shows all`, columns);
    case 'asking':
      return paint('warn', cut(`stop run ${mode.run}? y stops it, any other key does not`, columns));
    case 'opened':
      return paint('dim', cut(`${place}q back`, columns));
    case 'page': {
      const only = filter === '' ? '' : `only ${oneLine(filter, 40)} · Esc shows all · `;
      const rows = hasRows ? '↑↓ choose · Enter why · s stop · ' : place === '' ? '' : '↑↓ scroll · ';
      const find = !hasRows && filter === '' ? '' : '/ filter · ';
      return paint('dim', cut(`${place}${only}${rows}${find}? keys · q leave`, columns));
    }
    default:
      return assertNever(mode);
  }
}

function headText({ overview, problem, mode }: TopState, workspace: string): string {
  const name = oneLine(workspace, 60);
  const where = mode.kind === 'opened' ? `${name}  ${oneLine(mode.title, 100)}` : name;
  if (overview === null) return problem === null ? `${where}  reading ...` : `${where}  ${oneLine(problem, 200)}`;
  const at = `${overview.at.slice(11, 19)}Z`;
  return problem === null ? `${where}  ${at}` : `${where}  as of ${at}: ${oneLine(problem, 200)}`;
}

/** Rows in which all of the words stand somewhere; `total` counts those alone. */
function passing<T>(list: Some<T>, words: readonly string[], textOf: (row: T) => readonly (string | null)[]): Some<T> {
  const rows = list.rows.filter((row) => {
    const text = textOf(row).join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return { rows, total: rows.length };
}

/** Runs and what waits, as far as they pass; the queue and its processes stay whole. */
function filtered(overview: FleetOverview, filter: string): FleetOverview {
  const words = filterWords(filter);
  if (words.length === 0) return overview;
  return {
    ...overview,
    runs: passing(overview.runs, words, ({ job, view }) => [
      job.id,
      job.topology,
      job.workerId,
      busyAgent(view)?.agentId ?? null,
    ]),
    waiting: passing(overview.waiting, words, ({ id, gateId, role, kind, jobId, topology }) => [
      id,
      gateId,
      role,
      kind,
      jobId,
      topology,
    ]),
  };
}
