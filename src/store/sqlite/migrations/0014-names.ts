/**
 * What the entry point called whoever submitted a run, for people. Runs of one topology in one
 * status are found without reading those in others.
 */
export const NAMES = `
ALTER TABLE jobs ADD COLUMN submitted_name TEXT;
CREATE INDEX jobs_by_topology_status ON jobs (substr(topology, 1, instr(topology || '@', '@') - 1), status, ord);`;
