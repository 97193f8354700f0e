import { ageText, bytesText, countText } from './lines/words.js';
import type { GrownStore, GrowthReport } from './storage-report.js';

type Known = Extract<GrownStore, { readonly kind: 'known' }>;

/** `644.9 MiB in the database, the oldest run is 400 days old`. */
export const sizeWords = ({ bytes, oldestMs }: Known): string =>
  `${bytesText(bytes)} in the database, ${oldestMs === null ? 'no runs' : `the oldest run is ${ageText(oldestMs)} old`}`;

/** `1752 runs are older than 365 days (default), about 52.1 MiB`. */
export function dueWords({ due }: Known, { days, source }: GrowthReport['retention']): string {
  const age = `older than ${countText(days, 'day')} (${source})`;
  if (due.runs === 0) return `no run is ${age}`;
  const runs = due.isMore
    ? `more than ${due.runs} runs are`
    : `${countText(due.runs, 'run')} ${due.runs === 1 ? 'is' : 'are'}`;
  return `${runs} ${age}, ${due.isMore ? 'over' : 'about'} ${bytesText(due.bytes)}`;
}

/** Who removes what is due; where nobody does, the key that says who should. */
export const scheduleWords = ({ pruneEveryHours }: Pick<GrowthReport, 'pruneEveryHours'>): string =>
  pruneEveryHours === null
    ? 'no server removes old runs: storage.audit.prune_every_hours is not set'
    : `kit serve removes old runs every ${pruneEveryHours} h`;
