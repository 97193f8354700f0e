import type { RunReport } from '../../app/observe/observe-app.js';
import type { StoredEvent } from '../../domain/events.js';
import { eventText } from '../../view/lines/event-text.js';
import { countText } from '../../view/lines/words.js';
import { block, fitted, type Html, html, leftOutNote, text } from './html.js';

/** Longer payloads are cut: the log has them. */
const MAX_PAYLOAD = 4_000;

/** Of all events together. */
const MAX_BYTES = 2 * 1024 * 1024;

/** Every event with its payload, and a filter that shows itself where scripts run. */
export function eventsSection({ job, events, eventsLeftOut }: RunReport): Html {
  const types = [...new Set(events.map(({ type }) => type))].sort();
  const { rows, leftOut } = fitted(events, row, MAX_BYTES);
  const missed = eventsLeftOut + leftOut;
  const missing = leftOutNote(
    missed,
    `${countText(missed, 'event')} after these ${missed === 1 ? 'is' : 'are'} left out; kit logs --run-id ${job.id} shows them all.`,
  );
  return html`<div class="filter" id="filter" hidden><input id="filter-word" type="search" placeholder="Filter by text" aria-label="Filter by text">
<select id="filter-type" aria-label="Filter by type"><option value="">every type</option>${types.map((type) => html`<option>${text(type)}</option>`)}</select><span id="filter-count" class="soft" aria-live="polite"></span></div>
${missing}<table id="events"><thead><tr><th class="num">#</th><th>Time</th><th>Agent</th><th>Type</th><th>What</th></tr></thead><tbody>${rows}</tbody></table>`;
}

const row = (event: StoredEvent): Html =>
  html`<tr data-type="${text(event.type)}"><td class="num soft">${event.seq}</td><td class="when">${text(event.timestamp.slice(11, 23))}</td><td>${text(event.agentId ?? '', 60)}</td><td>${text(event.type)}</td><td><details><summary>${text(eventText(event).text, 600)}</summary><pre>${block(payloadOf(event), MAX_PAYLOAD)}</pre></details></td></tr>\n`;

const payloadOf = (event: StoredEvent): string =>
  JSON.stringify({ ...(event.stepKey === null ? {} : { step_key: event.stepKey }), ...event.payload }, null, 1);
