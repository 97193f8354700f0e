/**
 * Room for the end of a step in the page of its start: the row is then made anew without an entry
 * in any index (a step ends once, and nearly every one does). No foreign key of each step: its run
 * is locked and fenced in the same transaction, and a step without one is written by nobody.
 */
export const ROOM_IN_ROWS = `
ALTER TABLE steps SET (fillfactor = 40);
ALTER TABLE steps DROP CONSTRAINT steps_job_id_fkey;
`;
