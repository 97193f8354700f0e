/** The notes stand beside the text of the other dialect. */
export const NAMES = `
ALTER TABLE jobs ADD COLUMN submitted_name TEXT;
CREATE INDEX jobs_by_topology_status ON jobs (hashtextextended(split_part(topology, '@', 1), 0), status, ord);`;
