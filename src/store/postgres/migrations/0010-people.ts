/** The notes stand beside the text of the other dialect. */
export const PEOPLE = `ALTER TABLE jobs
  ADD COLUMN earlier_submitters TEXT NOT NULL DEFAULT '[]',
  ADD COLUMN ungated TEXT NOT NULL DEFAULT '[]';
ALTER TABLE conversations ADD COLUMN shared BIGINT NOT NULL DEFAULT 0;`;
