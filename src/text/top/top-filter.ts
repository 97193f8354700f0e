import { busyAgent, type FleetOverview, type Some } from '../../view/fleet-overview.js';
import { filterWords } from '../lines/filter-words.js';

/** Rows in which all of the words stand somewhere; `total` counts those alone. */
function passing<T>(list: Some<T>, words: readonly string[], textOf: (row: T) => readonly (string | null)[]): Some<T> {
  const rows = list.rows.filter((row) => {
    const text = textOf(row).join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return { rows, total: rows.length };
}

/** Runs and what waits, as far as they pass; the queue and its processes stay whole. */
export function filtered(overview: FleetOverview, filter: string): FleetOverview {
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
