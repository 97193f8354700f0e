/** The notes stand beside the text of the other dialect. */
export const LIMITERS = `
CREATE TABLE limiters (
  account TEXT NOT NULL PRIMARY KEY,
  state TEXT NOT NULL
);`;
