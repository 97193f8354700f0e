/** How many requests accounts of model providers are sent: JSON of `LimiterState`. */
export const LIMITERS = `
CREATE TABLE limiters (
  account TEXT NOT NULL PRIMARY KEY,
  state TEXT NOT NULL
) STRICT, WITHOUT ROWID;`;
