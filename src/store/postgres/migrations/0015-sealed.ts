/** Tokens and logins under way, sealed before they come here, and who refreshes what. */
export const SEALED = `
CREATE TABLE sealed_rows (
  space TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  owner TEXT NOT NULL,
  key_id TEXT NOT NULL,
  revision BIGINT NOT NULL,
  written_at TEXT NOT NULL,
  sealed TEXT NOT NULL,
  PRIMARY KEY (space, kind, name, owner)
);
CREATE TABLE sealed_leases (
  name TEXT NOT NULL PRIMARY KEY,
  holder TEXT NOT NULL,
  lease_until TEXT NOT NULL
);`;
