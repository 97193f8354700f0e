/** The notes stand beside the text of the other dialect. */
export const CALLS = `ALTER TABLE prompts
  ADD COLUMN conversation TEXT COLLATE "C",
  ADD COLUMN follows BIGINT,
  ADD COLUMN said BIGINT;`;
