import { busyAgent, type FleetOverview, type Some } from '../../view/fleet-overview.js';

/** Rows in which the words stand somewhere, whatever their case; `total` counts those alone. */
function passing<T>(list: Some<T>, words: string, textOf: (row: T) => readonly (string | null)[]): Some<T> {
  const rows = list.rows.filter((row) => textOf(row).some((text) => text?.toLowerCase().includes(words) === true));
  return { rows, total: rows.length };
}

/** Runs and what waits, as far as they pass; the queue and its processes stay whole. */
export function filtered(overview: FleetOverview, filter: string): FleetOverview {
  const words = filter.trim().toLowerCase();
  if (words === '') return overview;
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
