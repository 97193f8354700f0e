import { oneLine } from '../../view/lines/words.js';
import { createPaint } from '../lines/paint.js';
import { cut } from '../lines/table.js';
import type { TopState } from './top-state.js';
import { topLines } from './top-text.js';

export interface TopSize {
  readonly columns: number;
  readonly rows: number;
}

/** A whole screen: `rows` lines. `size` tells the state what was drawn, for scrolling. */
export interface TopFrame {
  readonly lines: readonly string[];
  readonly size: TopState['size'];
}

/** Draws one state: where this is, the page from where it is scrolled to, and what keys do. */
export function topFrame(
  state: TopState,
  of: { readonly workspace: string; readonly color: boolean; readonly size: TopSize },
): TopFrame {
  const { columns, rows } = of.size;
  const paint = createPaint(of.color);
  const page = state.overview === null ? [] : topLines(state.overview, { color: of.color, width: columns });
  const view = Math.max(1, rows - 2);
  const from = Math.max(0, Math.min(state.scroll, page.length - view));
  const shown = page.slice(from, from + view);
  const blank = Array.from({ length: view - shown.length }, () => '');
  const head = paint(state.problem === null ? 'strong' : 'warn', cut(headText(state, of.workspace), columns));
  const place =
    page.length <= view ? '' : `lines ${from + 1} to ${from + shown.length} of ${page.length} · ↑↓ scroll · `;
  const help = paint('dim', cut(`${place}q leave`, columns));
  return { lines: [head, ...shown, ...blank, help].slice(0, rows), size: { lines: page.length, view } };
}

function headText({ overview, problem }: TopState, workspace: string): string {
  const name = oneLine(workspace, 60);
  if (overview === null) return problem === null ? `${name}  reading ...` : `${name}  ${oneLine(problem, 200)}`;
  const at = `${overview.at.slice(11, 19)}Z`;
  return problem === null ? `${name}  ${at}` : `${name}  as of ${at}: ${oneLine(problem, 200)}`;
}
