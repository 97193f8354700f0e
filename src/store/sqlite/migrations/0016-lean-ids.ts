/**
 * Ids of events in an index only where no step tells of them: an index of all ids took a page more
 * in each commit, for an event that hardly ever comes twice. Which events of steps there are is
 * known to whoever holds the run (append-events.ts).
 */
export const LEAN_IDS = `
DROP INDEX events_by_id;
CREATE UNIQUE INDEX events_by_id ON events (run, event_id) WHERE step_key IS NULL;
`;
