import { createHash } from 'node:crypto';
import type { RunReport } from '../app/observe/observe-app.js';
import type { StoredEvent } from '../domain/events.js';
import { eventText } from '../view/lines/event-text.js';
import { countText, durationText, timeText, usageNotes } from '../view/lines/words.js';
import { lineTexts } from './lines/line-texts.js';
import { jobTone, spentText, toolCallsText, topologyText, wallText } from './lines/words.js';
import { askedSection } from './report/asked.js';
import { callsSection } from './report/calls.js';
import { costSection } from './report/cost.js';
import { decisionsSection } from './report/decisions.js';
import { block, fitted, type Html, html, leftOutNote, text } from './report/html.js';
import { SCRIPT } from './report/script.js';
import { STYLE } from './report/style.js';
import { timelineSection } from './report/timeline.js';

/** Longer payloads are cut: the log has them. */
const MAX_PAYLOAD = 4_000;

/** Of all events together. */
const MAX_BYTES = 2 * 1024 * 1024;

/** Every event with its payload, and a filter that shows itself where scripts run. */
function eventsSection({ job, events, eventsLeftOut }: RunReport): Html {
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

/** Longer texts of a run are cut on the page; `kit run --json` and the store have them whole. */
const MAX_TEXT = 200_000;
/** Of all of them together. */
const MAX_WARNING_BYTES = 128 * 1024;
const MAX_DIFF_BYTES = 1024 * 1024;

/**
 * One page about a run that needs nothing but itself: no network, no other file, readable without
 * scripts. Its policy allows this style and this script by their digests and nothing else, so that
 * text of a run could not act even if it were taken for markup.
 */
export function reportHtml(report: RunReport): string {
  const { job } = report;
  const title = text(`Run ${job.id} of ${topologyText(job)}: ${job.status}`);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<header>${headline(report)}${isParked(report) ? null : facts(report)}</header>
<main>
<section><h2>What is asked</h2>${askedSection(report.asked)}</section>
${isParked(report) ? html`<section><h2>Figures</h2>${facts(report)}</section>` : null}
<section><h2>Answered</h2>${content(report)}</section>
${report.view.warnings.length === 0 ? null : html`<section><h2>Warnings</h2>${warnings(report)}</section>`}
<section><h2>Timeline</h2>${timelineSection(report)}</section>
<section><h2>Calls</h2>${callsSection(report.view)}</section>
<section><h2>Decisions</h2>${decisionsSection(report)}</section>
<section><h2>Cost</h2>${costSection(report.view)}</section>
${report.diffs === null ? null : html`<section><h2>Changes</h2>${diffs(report.diffs, report.job)}</section>`}
<section><h2>Events</h2>${eventsSection(report)}</section>
</main>
<script>${{ markup: SCRIPT }}</script>
</body>
</html>
`;
  return page.markup;
}

/** `meta` cannot say `frame-ancestors` or `sandbox`; everything that can be closed is. */
const policy = (): Html => ({
  markup: `default-src 'none'; style-src '${digestOf(STYLE)}'; script-src '${digestOf(SCRIPT)}'; base-uri 'none'; form-action 'none'`,
});

const digestOf = (source: string): string => `sha256-${createHash('sha256').update(source).digest('base64')}`;

/** People are asked: what they are asked leads, and figures come after it. */
const isParked = ({ job }: RunReport): boolean => job.status === 'deferred';

function facts({ job, view, wallMs }: RunReport): Html {
  const rows: readonly (readonly [string, string])[] = [
    ['Topology', topologyText(job)],
    ['Began', timeText(job.startedAt ?? job.createdAt)],
    ['Wall time', wallMs === null ? 'not begun' : wallText(wallMs)],
    ['Execution', durationText(job.executedMs)],
    ['Agents', String(view.order.length)],
    ['Model calls', String(view.calls.model)],
    ['Tool calls', toolCallsText(view.calls).replace(/ tool calls?/, '')],
    ['Tokens', `${view.usage.inputTokens} in, ${view.usage.outputTokens} out`],
    ['Cost', `${spentText(view.usage)}${usageNotes(view.usage)}`],
    ...(view.resumes === 0 ? [] : ([['Resumed', countText(view.resumes, 'time')]] as const)),
    ...(job.waitingOn.length === 0 ? [] : ([['Waits for', job.waitingOn.join(', ')]] as const)),
  ];
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${text(name, 60)}</dt><dd>${text(value, 200)}</dd></div>`)}</dl>`;
}

function headline(report: RunReport): Html {
  const { job, line } = report;
  const reason = job.reason === null ? '' : `: ${job.reason}`;
  return html`<h1>Run <code>${text(job.id)}</code></h1>
<span class="badge ${text(jobTone(job.status))}">${text(`${job.status}${reason}`)}</span>
${job.error === null ? null : html`<p class="${text(isParked(report) ? 'warn' : 'bad')}">${text(job.error, 1000)}</p>`}
${isParked(report) ? html`<p>Decide: <code>${text(`kit review show ${job.id}`)}</code>, then <code>${text(`kit review approve ${job.id}`)}</code></p>` : null}
${lineTexts(job, line).map((words) => html`<p class="soft">${text(words, 1000)}</p>`)}`;
}

function content({ job, view }: RunReport): Html {
  const attached = view.attachments.map(
    ({ name, mediaType, sizeBytes }) => `${name} (${mediaType}, ${sizeBytes} bytes)`,
  );
  return html`${attached.length === 0 ? null : html`<p>Attached: ${text(attached.join(', '), 1000)}</p>`}
${job.output === null ? html`<p class="soft">There is none.</p>` : html`<pre>${block(job.output, MAX_TEXT)}</pre>`}`;
}

function warnings({ job, view }: RunReport): Html {
  const { rows, leftOut } = fitted(view.warnings, warning, MAX_WARNING_BYTES);
  const more = leftOutNote(leftOut, `${leftOut} more, which kit logs --run-id ${job.id} shows.`);
  return html`<ul>${rows}</ul>${more}`;
}

const warning = ({ kind, agentId, text: words }: RunReport['view']['warnings'][number]): Html =>
  html`<li><span class="warn">${text(kind)}</span> ${text(`${agentId === null ? '' : `${agentId}: `}${words}`, 600)}</li>\n`;

function diffs(all: Readonly<Record<string, string>>, job: RunReport['job']): Html {
  const { rows, leftOut } = fitted(Object.entries(all), diff, MAX_DIFF_BYTES);
  const more = leftOutNote(
    leftOut,
    `${countText(leftOut, 'diff')} more, which GET /jobs/${job.id}/diff of kit serve shows.`,
  );
  return html`${rows}${more}`;
}

const diff = ([agent, lines]: readonly [string, string]): Html =>
  html`<details><summary>${text(agent, 60)}, ${text(countText(lines.split('\n').length, 'line'))}</summary><pre>${block(lines, MAX_TEXT)}</pre></details>`;
