import type { RunReport } from '../../app/observe/observe-app.js';
import type { StoredEvent } from '../../domain/events.js';
import { eventText } from '../../view/lines/event-text.js';
import { timeText } from '../../view/lines/words.js';

import { fitted, type Html, html, leftOutNote, text } from './html.js';

/** What somebody or a rule decided about the run, as far as it is more than an allowed call. */
const DECISIONS: ReadonlySet<StoredEvent['type']> = new Set([
  'policy.denied',
  'trust.denied',
  'trust.degraded',
  'tool.refused',
  'skill.gap',
  'limit.breached',
  'run.stopped',
  'run.resumed',
  'step.repeated',
  'step.in_doubt',
  'step.waiting',
  'output.validation_failed',
  'input.rejected',
  'funnel.gate_opened',
  'funnel.advisory_completed',
  'approval.role_task_resolved',
  'approval.gate_resolved',
  'approval.changes_requested',
  'approval.expired',
]);

/** Of all decisions together. */
const MAX_BYTES = 256 * 1024;

/**
 * Denials, limits, stops, resumes and repeats one by one; what was allowed as counts by agent and
 * tool.
 */
export function decisionsSection({
  job,
  events,
  eventsLeftOut,
}: Pick<RunReport, 'job' | 'events' | 'eventsLeftOut'>): Html {
  const cut = eventsLeftOut === 0 ? null : html`<p class="warn">Only of the events that stand below.</p>`;
  const made = events.filter(({ type }) => DECISIONS.has(type));
  const { rows, leftOut } = fitted(made, decision, MAX_BYTES);
  const more = leftOutNote(leftOut, `${leftOut} more, which kit logs --run-id ${job.id} shows.`);
  const allowed = allowedCalls(events);
  return html`${cut}${made.length === 0 ? html`<p>Nothing was denied, refused or stopped, and no limit was reached.</p>` : html`<table><thead><tr><th>Time</th><th>Agent</th><th>Kind</th><th>What</th></tr></thead><tbody>${rows}</tbody></table>${more}`}
${allowed.length === 0 ? null : html`<p class="soft">Allowed by the policy: ${text(allowed.join('; '), 4000)}.</p>`}`;
}

const decision = (event: StoredEvent): Html =>
  html`<tr><td class="when">${text(timeText(event.timestamp))}</td><td>${text(event.agentId ?? 'run', 60)}</td><td>${text(event.type)}</td><td>${text(eventText(event).text, 1000)}</td></tr>\n`;

function allowedCalls(events: readonly StoredEvent[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const event of events) {
    if (event.type !== 'skill.executed' || event.payload.policy_decision !== 'allow') continue;
    const who = `${event.agentId ?? 'run'} called ${event.payload.tool}`;
    counts.set(who, (counts.get(who) ?? 0) + 1);
  }
  return [...counts].map(([who, count]) => (count === 1 ? who : `${who} ${count} times`));
}
