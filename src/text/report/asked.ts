import type { ReviewRequest } from '../../view/asked.js';
import { askedRows } from '../review/asked-lines.js';
import { block, type Html, html, text } from './html.js';

/** Of one fact; the store has it whole. */
const MAX_TEXT = 200_000;
/** A longer fact stands in a box of its own. */
const MAX_LINE = 400;

/** What is asked, fact by fact, as the terminal shows it: the page leads with it. */
export function askedSection(asked: ReviewRequest): Html {
  // The whole input is on the page: nothing of it has to be had elsewhere.
  const rows = askedRows(asked, { more: '', hasGate: false, isKept: true });
  return html`<dl class="asked">${rows.map(
    ({ name, lines, tone }) =>
      html`<div><dt>${text(name, 60)}</dt><dd class="${text(tone)}">${
        lines.length === 1 && (lines[0] ?? '').length <= MAX_LINE
          ? text(lines[0] ?? '', MAX_LINE)
          : html`<pre>${block(lines.join('\n'), MAX_TEXT)}</pre>`
      }</dd></div>\n`,
  )}</dl>`;
}
