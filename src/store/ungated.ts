import type { RunEvent } from '../domain/events.js';

/** Gates of these events that nobody was asked about. */
export const ungatedIn = (events: readonly RunEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'funnel.advisory_completed' ? [event.payload.gate_id] : []));

/** Names such a gate in the row of its run, once; beside the event, under the fence. */
export const ADD_UNGATED_IN_SQLITE = `
UPDATE jobs SET ungated = json_insert(ungated, '$[#]', @gate)
WHERE id = @jobId AND NOT EXISTS (SELECT 1 FROM json_each(jobs.ungated) WHERE value = @gate)`;

export const ADD_UNGATED_IN_POSTGRES = `
UPDATE jobs SET ungated = CAST(CAST(ungated AS JSONB) || jsonb_build_array(CAST(@gate AS TEXT)) AS TEXT)
WHERE id = @jobId AND NOT CAST(ungated AS JSONB) @> jsonb_build_array(CAST(@gate AS TEXT))`;
