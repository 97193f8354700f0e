import type { StoredEvent } from '../domain/events.js';
import type { Job } from '../domain/job.js';
import { oneLine, timeText } from '../view/lines/words.js';
import { eventLine } from './event-line.js';
import { createPaint } from './lines/paint.js';
import { jobTone, topologyText } from './lines/words.js';

/**
 * The line above the events of a run: which one it is, and how it stood when the log was asked for.
 */
export function logHeader(job: Job, options: { readonly color: boolean }): string {
  const paint = createPaint(options.color);
  const reason = job.reason === null ? '' : `: ${oneLine(job.reason)}`;
  return `${paint('strong', `run ${job.id}`)} of ${topologyText(job)}  ${paint(jobTone(job.status), `${job.status}${reason}`)}  ${timeText(job.startedAt ?? job.createdAt)}`;
}

/**
 * One event that belongs to no run: its day stands before it, and its topology where others name
 * their agent.
 */
export function looseLine(event: StoredEvent, options: { readonly color: boolean }): string {
  const at = createPaint(options.color)('dim', timeText(event.timestamp));
  const named = { ...event, agentId: event.topologyId === '' ? null : event.topologyId };
  return `${at}  ${eventLine(named, { color: options.color, verbose: true }) ?? ''}`;
}

/** The last line of a log that ended because its run waits for a decision. */
export const waitText = (job: Pick<Job, 'id' | 'waitingOn'>): string =>
  `run ${job.id} waits for ${job.waitingOn.length === 0 ? 'a decision' : oneLine(job.waitingOn.join(', '), 300)}`;
